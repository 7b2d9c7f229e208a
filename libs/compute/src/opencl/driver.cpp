#include "opencl/driver.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include <clblast.h>

#include <tapestry/compute/device_error.hpp>

#include "opencl/completions.hpp"

namespace tapestry::detail {

namespace {

std::string describe(const cl::Error& error) {
  return std::string(error.what()) + " failed with error " + std::to_string(error.err());
}

/// Calls the function, and throws what it throws of OpenCL as a DeviceError.
template <class F>
auto translated(const std::string& device, const char* operation, F function) {
  try {
    return function();
  } catch (const cl::Error& error) {
    const std::string message = "tapestry::" + device + ": " + operation + ": " + describe(error);
    if (error.err() == CL_MEM_OBJECT_ALLOCATION_FAILURE) throw DeviceMemoryError(message);
    throw DeviceError(message);
  }
}

cl_mem memoryOf(extend::DeviceMemory memory) noexcept { return static_cast<cl_mem>(memory); }

/// Returns a further handle of a buffer, which its pool owns.
cl::Buffer bufferOf(extend::DeviceMemory memory) { return cl::Buffer(memoryOf(memory), true); }

template <class T>
clblast::StatusCode gemm(const extend::DeviceProduct& p, std::size_t batch, cl_command_queue queue) {
  const auto transposed = [](bool is) { return is ? clblast::Transpose::kYes : clblast::Transpose::kNo; };
  return clblast::Gemm<T>(clblast::Layout::kRowMajor, transposed(p.a.transposed), transposed(p.b.transposed),
                          p.m, p.n, p.k, T{1}, memoryOf(p.a.memory), p.a.offset + batch * p.a.batchStride,
                          p.a.rowLength, memoryOf(p.b.memory), p.b.offset + batch * p.b.batchStride,
                          p.b.rowLength, T{0}, memoryOf(p.c.memory), p.c.offset + batch * p.c.batchStride,
                          p.c.rowLength, &queue);
}

/// Enqueues the product. Throws DeviceError, which names the device.
void multiplyOn(const std::string& device, const extend::DeviceProduct& product, cl_command_queue queue) {
  for (std::size_t batch = 0; batch < product.batch; ++batch) {
    const clblast::StatusCode status =
        product.isDouble ? gemm<double>(product, batch, queue) : gemm<float>(product, batch, queue);
    if (status != clblast::StatusCode::kSuccess)
      throw DeviceError("tapestry::" + device + ": product: CLBlast failed with status " +
                        std::to_string(static_cast<int>(status)));
  }
}

/// Counts the drivers, since CLBlast's cache is one for all: it is cleared when the last driver ends. A
/// context whose products are in the cache lives until then.
class ProductsInUse {
 public:
  ProductsInUse() noexcept {
    const std::lock_guard lock(mutex_);
    ++drivers_;
  }
  ProductsInUse(const ProductsInUse&) = delete;
  ProductsInUse& operator=(const ProductsInUse&) = delete;
  ~ProductsInUse() {
    const std::lock_guard lock(mutex_);
    if (--drivers_ == 0) clblast::ClearCache();
  }

 private:
  static inline std::mutex mutex_;
  static inline int drivers_ = 0;
};

class OpenClDriver final : public extend::DeviceDriver {
 public:
  OpenClDriver(std::string name, const cl::Device& device, extend::DeviceProperties properties)
      : name_(std::move(name)),
        properties_(std::move(properties)),
        completions_(name_),
        device_(device),
        context_(translated(name_, "open", [&] { return cl::Context(device); })),
        queue_(translated(name_, "open", [&] { return cl::CommandQueue(context_, device); })) {}

  const extend::DeviceProperties& properties() const noexcept override { return properties_; }

  extend::DeviceMemory allocate(std::size_t bytes) override {
    return translated(name_, "allocate", [&]() -> extend::DeviceMemory {
      try {
        const cl::Buffer buffer(context_, CL_MEM_READ_WRITE, bytes);
        clRetainMemObject(buffer());
        return buffer();
      } catch (const cl::Error& error) {  // what a launch may lack too is memory here
        if (error.err() != CL_OUT_OF_RESOURCES && error.err() != CL_INVALID_BUFFER_SIZE) throw;
        throw DeviceMemoryError("tapestry::" + name_ + ": allocate: " + describe(error));
      }
    });
  }

  void release(extend::DeviceMemory memory) noexcept override { clReleaseMemObject(memoryOf(memory)); }

  void write(extend::DeviceMemory to, const void* from, std::size_t bytes,
             std::shared_ptr<const void> owner) override {
    translated(name_, "write", [&] {
      cl::Event event;
      queue_.enqueueWriteBuffer(bufferOf(to), CL_FALSE, 0, bytes, from, nullptr, &event);
      completions_.call(event, [owner = std::move(owner)](const std::exception_ptr&) {});
    });
  }

  void read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
            std::function<void(std::exception_ptr)> done) override {
    translated(name_, "read", [&] {
      cl::Event event;
      queue_.enqueueReadBuffer(bufferOf(from), CL_FALSE, 0, bytes, to, nullptr, &event);
      completions_.callBeside(event, [owner = std::move(owner), done = std::move(done)](
                                         std::exception_ptr error) { done(std::move(error)); });
      queue_.flush();
    });
  }

  extend::DeviceKernel compile(const std::string& name, const std::string& source) override {
    return translated(name_, "compile", [&] {
      const cl::Program program(context_, properties_.prelude + source);
      try {
        program.build(std::vector{device_}, "-cl-std=CL1.2");
      } catch (const cl::Error&) {
        throw DeviceError("tapestry::" + name_ + ": kernel " + name +
                              " does not compile: " + program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_),
                          source);
      }
      auto kernel = std::make_unique<cl::Kernel>(program, name.c_str());
      const std::lock_guard lock(kernelsMutex_);
      kernels_.push_back(std::move(kernel));
      return kernels_.back().get();
    });
  }

  void launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
              std::size_t groups, std::size_t groupSize) override {
    translated(name_, "launch", [&] {
      cl::Kernel& compiled = *static_cast<cl::Kernel*>(kernel);
      cl_uint index = 0;
      for (const extend::KernelArgument& argument : arguments) {
        std::visit([&](const auto& value) { compiled.setArg(index++, sizeof value, &value); }, argument);
      }
      queue_.enqueueNDRangeKernel(compiled, cl::NullRange, cl::NDRange(groups * groupSize),
                                  cl::NDRange(groupSize));
    });
  }

  void prepareProducts(bool isDouble) override {
    translated(name_, "prepare products", [&] {
      const std::size_t bytes = isDouble ? sizeof(double) : sizeof(float);
      const cl::Buffer a(context_, CL_MEM_READ_WRITE, bytes), b(context_, CL_MEM_READ_WRITE, bytes),
          c(context_, CL_MEM_READ_WRITE, bytes);
      const cl::CommandQueue queue(context_, device_);
      extend::DeviceProduct product;
      product.isDouble = isDouble;
      product.m = product.n = product.k = 1;
      product.a = {a(), 0, 1, 0, false};
      product.b = {b(), 0, 1, 0, false};
      product.c = {c(), 0, 1, 0, false};
      multiplyOn(name_, product, queue());
      queue.finish();
    });
  }

  void multiply(const extend::DeviceProduct& product) override { multiplyOn(name_, product, queue_()); }

  void whenDone(std::function<void(std::exception_ptr)> done) override {
    translated(name_, "finish", [&] {
      cl::Event event;
      queue_.enqueueMarkerWithWaitList(nullptr, &event);
      completions_.callBeside(event, std::move(done));
      queue_.flush();
    });
  }

 private:
  const ProductsInUse productsInUse_;
  const std::string name_;
  const extend::DeviceProperties properties_;
  const Completions completions_;
  const cl::Device device_;
  const cl::Context context_;
  const cl::CommandQueue queue_;
  std::mutex kernelsMutex_;
  std::vector<std::unique_ptr<cl::Kernel>> kernels_;
};

}  // namespace

std::unique_ptr<extend::DeviceDriver> makeOpenClDriver(std::string name, const cl::Device& device,
                                                       extend::DeviceProperties properties) {
  return std::make_unique<OpenClDriver>(std::move(name), device, std::move(properties));
}

}  // namespace tapestry::detail
