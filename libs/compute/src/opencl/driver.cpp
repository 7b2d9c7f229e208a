#include "opencl/driver.hpp"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include <clblast.h>

#include <tapestry/compute/device_error.hpp>

#include "device/background.hpp"

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

/// The error of the first copy or marker that has failed on the device, or CL_SUCCESS. A kernel has no
/// completion: its error is known only on a platform that then fails the copies and markers that follow.
/// Completions own the error too, since a command may end after its driver.
using FirstError = std::shared_ptr<std::atomic<cl_int>>;

struct OpenClCompletion {
  std::string device;
  FirstError first;
  std::function<void(std::exception_ptr)> done;
};

void CL_CALLBACK onOpenClComplete(cl_event, cl_int status, void* data) {
  const std::unique_ptr<OpenClCompletion> completion(static_cast<OpenClCompletion*>(data));
  cl_int none = CL_SUCCESS;
  if (status < 0) completion->first->compare_exchange_strong(none, status);
  std::exception_ptr error;
  if (const cl_int first = *completion->first; first != CL_SUCCESS)
    error = std::make_exception_ptr(DeviceError("tapestry::" + completion->device +
                                                ": the device failed with error " + std::to_string(first)));
  completion->done(error);
}

/// A function that OpenCL calls must not wait for the device, which the run that `done` resumes may do.
std::function<void(std::exception_ptr)> besideDriver(std::function<void(std::exception_ptr)> done) {
  return [done = std::move(done)](const std::exception_ptr& error) {
    inBackgroundOrHere([done, error] { done(error); });
  };
}

template <class T>
clblast::StatusCode gemm(const extend::DeviceProduct& p, std::size_t batch, cl_command_queue queue) {
  const auto transposed = [](bool is) { return is ? clblast::Transpose::kYes : clblast::Transpose::kNo; };
  return clblast::Gemm<T>(clblast::Layout::kRowMajor, transposed(p.a.transposed), transposed(p.b.transposed),
                          p.m, p.n, p.k, static_cast<T>(p.alpha), memoryOf(p.a.memory),
                          p.a.offset + batch * p.a.batchStride, p.a.rowLength, memoryOf(p.b.memory),
                          p.b.offset + batch * p.b.batchStride, p.b.rowLength, static_cast<T>(p.beta),
                          memoryOf(p.c.memory), p.c.offset + batch * p.c.batchStride, p.c.rowLength, &queue);
}

void multiplyOn(const std::string& device, const extend::DeviceProduct& product, cl_command_queue queue) {
  for (std::size_t batch = 0; batch < product.batch; ++batch) {
    const clblast::StatusCode status =
        product.isDouble ? gemm<double>(product, batch, queue) : gemm<float>(product, batch, queue);
    if (status != clblast::StatusCode::kSuccess)
      throw DeviceError("tapestry::" + device + ": product: CLBlast failed with status " +
                        std::to_string(static_cast<int>(status)));
  }
}

/// Counts the drivers, since the cache of products is one for all: it is cleared when the last driver ends. A
/// context whose products are in the cache lives until then.
class ProductsInUse {
 public:
  ProductsInUse() noexcept {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  ProductsInUse(const ProductsInUse&) = delete;
  ProductsInUse& operator=(const ProductsInUse&) = delete;
  ~ProductsInUse() {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0) clblast::ClearCache();
  }

 private:
  static inline std::mutex mutex_;
  static inline int count_ = 0;
};

class OpenClDriver final : public extend::DeviceDriver {
 public:
  OpenClDriver(std::string name, const cl::Device& device, extend::DeviceProperties properties)
      : name_(std::move(name)),
        properties_(std::move(properties)),
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
      completeWith(event, [owner = std::move(owner)](const std::exception_ptr&) {});
    });
  }

  void read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
            std::function<void(std::exception_ptr)> done) override {
    translated(name_, "read", [&] {
      cl::Event event;
      queue_.enqueueReadBuffer(bufferOf(from), CL_FALSE, 0, bytes, to, nullptr, &event);
      completeWith(event, besideDriver([owner = std::move(owner), done = std::move(done)](
                                           const std::exception_ptr& error) { done(error); }));
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
      completeWith(event, besideDriver(std::move(done)));
      queue_.flush();
    });
  }

 private:
  /// Calls `done` when the command has ended, with the first error of the device.
  void completeWith(cl::Event& event, std::function<void(std::exception_ptr)> done) {
    auto completion =
        std::make_unique<OpenClCompletion>(OpenClCompletion{name_, firstError_, std::move(done)});
    try {
      event.setCallback(CL_COMPLETE, onOpenClComplete, completion.get());
    } catch (const cl::Error&) {
      clWaitForEvents(1, &event());  // the command uses what the completion owns
      throw;
    }
    static_cast<void>(completion.release());  // the callback owns it
  }

  const ProductsInUse productsInUse_;
  const std::string name_;
  const extend::DeviceProperties properties_;
  const FirstError firstError_ = std::make_shared<std::atomic<cl_int>>(CL_SUCCESS);
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
