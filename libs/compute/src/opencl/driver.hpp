// Defines OpenClDriver, a device of OpenCL.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <tapestry/compute/extend/device_driver.hpp>

namespace tapestry::detail {

/// Counts the drivers, since the cache of products is one for all: it is cleared when the last driver ends. A
/// context whose products are in the cache lives until then.
class ProductsInUse {
 public:
  ProductsInUse() noexcept;
  ProductsInUse(const ProductsInUse&) = delete;
  ProductsInUse& operator=(const ProductsInUse&) = delete;
  ~ProductsInUse();

 private:
  static inline std::mutex mutex_;
  static inline int count_ = 0;
};

class OpenClDriver final : public extend::DeviceDriver {
 public:
  /// `name` names the device in errors. Throws DeviceError.
  OpenClDriver(std::string name, const cl::Device& device, extend::DeviceProperties properties);

  const extend::DeviceProperties& properties() const noexcept override { return properties_; }
  extend::DeviceMemory allocate(std::size_t bytes) override;
  void release(extend::DeviceMemory memory) noexcept override;
  void write(extend::DeviceMemory to, const void* from, std::size_t bytes,
             std::shared_ptr<const void> owner) override;
  void read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
            std::function<void(std::exception_ptr)> done) override;
  extend::DeviceKernel compile(const std::string& name, const std::string& source) override;
  void launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
              std::size_t groups, std::size_t groupSize) override;
  void prepareProducts(bool isDouble) override;
  void multiply(const extend::DeviceProduct& product) override;
  void whenDone(std::function<void(std::exception_ptr)> done) override;

 private:
  /// Calls `done` with the error of the command when it has ended.
  void completeWith(cl::Event& event, std::string operation, std::function<void(std::exception_ptr)> done);

  const ProductsInUse productsInUse_;
  const std::string name_;
  const extend::DeviceProperties properties_;
  const cl::Device device_;
  const cl::Context context_;
  const cl::CommandQueue queue_;
  std::mutex kernelsMutex_;
  std::vector<std::unique_ptr<cl::Kernel>> kernels_;
};

}  // namespace tapestry::detail
