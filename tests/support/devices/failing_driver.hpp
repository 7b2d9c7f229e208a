// Defines FailingDriver, the driver of a device that computes, of which one call fails.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/extend/device_driver.hpp>

namespace tapestry::test {

/// Which call fails: the function's name, and how many calls of it succeed before. Outlives the driver. The
/// names of a plan change while no command waits.
struct FailurePlan {
  std::string function;
  int before = 0;
  bool hasFailed = false;

  void check(const char* called) {
    if (function != called || before-- != 0) return;
    hasFailed = true;
    throw DeviceError(std::string("planned: ") + called);
  }
};

class FailingDriver final : public extend::DeviceDriver {
 public:
  FailingDriver(std::unique_ptr<extend::DeviceDriver> driver, FailurePlan& plan)
      : driver_(std::move(driver)), plan_(plan) {}

  const extend::DeviceProperties& properties() const noexcept override { return driver_->properties(); }
  extend::DeviceMemory allocate(std::size_t bytes) override {
    plan_.check("allocate");
    return driver_->allocate(bytes);
  }
  void release(extend::DeviceMemory memory) noexcept override { driver_->release(memory); }
  void write(extend::DeviceMemory to, const void* from, std::size_t bytes,
             std::shared_ptr<const void> owner) override {
    plan_.check("write");
    driver_->write(to, from, bytes, std::move(owner));
  }
  void read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
            std::function<void(std::exception_ptr)> done) override {
    driver_->read(to, from, bytes, std::move(owner), std::move(done));
  }
  extend::DeviceKernel compile(const std::string& name, const std::string& source) override {
    plan_.check("compile");
    return driver_->compile(name, source);
  }
  void launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
              std::size_t groups, std::size_t groupSize) override {
    plan_.check("launch");
    driver_->launch(kernel, arguments, groups, groupSize);
  }
  void prepareProducts(bool isDouble) override {
    plan_.check("prepareProducts");
    driver_->prepareProducts(isDouble);
  }
  void multiply(const extend::DeviceProduct& product) override {
    plan_.check("multiply");
    driver_->multiply(product);
  }
  void whenDone(std::function<void(std::exception_ptr)> done) override { driver_->whenDone(std::move(done)); }

 private:
  const std::unique_ptr<extend::DeviceDriver> driver_;
  FailurePlan& plan_;
};

}  // namespace tapestry::test
