// Defines ForwardingDriver, whose calls go to the driver of the device of the tests.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <tapestry/compute/cuda/cuda_devices.hpp>
#include <tapestry/compute/extend/device_driver.hpp>
#include <tapestry/compute/opencl/open_cl_devices.hpp>

#include "support/devices/any_device.hpp"

namespace tapestry::test {

class ForwardingDriver : public extend::DeviceDriver {
 public:
  const extend::DeviceProperties& properties() const noexcept override { return driver_->properties(); }
  extend::DeviceMemory allocate(std::size_t bytes) override { return driver_->allocate(bytes); }
  void release(extend::DeviceMemory memory) noexcept override { driver_->release(memory); }
  void write(extend::DeviceMemory to, const void* from, std::size_t bytes,
             std::shared_ptr<const void> owner) override {
    driver_->write(to, from, bytes, std::move(owner));
  }
  void read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
            std::function<void(std::exception_ptr)> done) override {
    driver_->read(to, from, bytes, std::move(owner), std::move(done));
  }
  extend::DeviceKernel compile(const std::string& name, const std::string& source) override {
    return driver_->compile(name, source);
  }
  void launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
              std::size_t groups, std::size_t groupSize) override {
    driver_->launch(kernel, arguments, groups, groupSize);
  }
  void prepareProducts(bool isDouble) override { driver_->prepareProducts(isDouble); }
  void multiply(const extend::DeviceProduct& product) override { driver_->multiply(product); }
  void whenDone(std::function<void(std::exception_ptr)> done) override { driver_->whenDone(std::move(done)); }

 private:
  const std::unique_ptr<extend::DeviceDriver> driver_ =
      testDeviceName().starts_with("cuda") ? openCuda(0) : openOpenCl(0);
};

}  // namespace tapestry::test
