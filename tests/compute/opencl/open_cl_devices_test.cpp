#include <tapestry/compute/opencl/open_cl_devices.hpp>

#include <dlfcn.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <tapestry/compute/device.hpp>
#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>

#include "support/error_text.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// What OpenCL refuses to do, each with its error, and what it has done.
struct ClFaults {
  cl_device_info question = 0;  ///< that devices do not answer, as those of older versions
  cl_int contexts = CL_SUCCESS, buffers = CL_SUCCESS, launches = CL_SUCCESS;
  cl_int completions = CL_SUCCESS;  ///< with which commands end whose callbacks are set now
  std::atomic<int> builds{0};
} faults;

template <class F>
F* ownOpenCl(F&, const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

/// The faults of a test end with it.
struct FaultsEnd {
  ~FaultsEnd() {
    faults.question = 0;
    faults.contexts = faults.buffers = faults.launches = faults.completions = CL_SUCCESS;
  }
};

using ClCallback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

/// A callback that is called with a fault's error.
struct FailedCompletion {
  ClCallback notify;
  void* data;
  cl_int error;
};

void CL_CALLBACK completeFailed(cl_event event, cl_int, void* data) {
  const std::unique_ptr<FailedCompletion> failed(static_cast<FailedCompletion*>(data));
  failed->notify(event, failed->error, failed->data);
}

template <class T>
T failed(cl_int* status, cl_int error) {
  if (status != nullptr) *status = error;
  return nullptr;
}

}  // namespace

// The program's own functions of OpenCL stand before those of the library.
extern "C" {

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info question, size_t bytes, void* answer,
                       size_t* needed) {
  if (question == faults.question) return CL_INVALID_VALUE;
  return ownOpenCl(clGetDeviceInfo, "clGetDeviceInfo")(device, question, bytes, answer, needed);
}

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                           const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* data,
                           cl_int* status) {
  if (faults.contexts != CL_SUCCESS) return failed<cl_context>(status, faults.contexts);
  return ownOpenCl(clCreateContext, "clCreateContext")(properties, count, devices, notify, data, status);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host, cl_int* status) {
  if (faults.buffers != CL_SUCCESS) return failed<cl_mem>(status, faults.buffers);
  return ownOpenCl(clCreateBuffer, "clCreateBuffer")(context, flags, bytes, host, status);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t* offset,
                              const size_t* items, const size_t* group, cl_uint count, const cl_event* after,
                              cl_event* event) {
  if (faults.launches != CL_SUCCESS) return faults.launches;
  return ownOpenCl(clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel")(queue, kernel, rank, offset, items,
                                                                     group, count, after, event);
}

cl_int clSetEventCallback(cl_event event, cl_int type, ClCallback notify, void* data) {
  const auto own = ownOpenCl(clSetEventCallback, "clSetEventCallback");
  if (faults.completions == CL_SUCCESS) return own(event, type, notify, data);
  return own(event, type, completeFailed, new FailedCompletion{notify, data, faults.completions});
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  ++faults.builds;
  return ownOpenCl(clBuildProgram, "clBuildProgram")(program, count, devices, options, notify, data);
}
}

TEST_CASE("a driver of OpenCL compiles, launches and copies in order") {
  REQUIRE(!openClDevices().empty());
  const auto driver = openOpenCl(0);
  constexpr int count = 1000;
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  const extend::DeviceMemory from = driver->allocate(count * sizeof(float)),
                             to = driver->allocate(count * sizeof(float));
  driver->write(from, numbers.data(), count * sizeof(float), nullptr);
  const extend::DeviceKernel twice =
      driver->compile("twice",
                      "KERNEL void twice(GLOBAL const float* a, GLOBAL float* b, const int n) {\n"
                      "  const uint i = GLOBAL_ID;\n  if (i < (uint)n) b[i] = 2 * a[i];\n}\n");
  const extend::KernelArgument arguments[] = {from, to, std::int32_t{count}};
  driver->launch(twice, arguments, 4, 256);
  std::vector<float> results(count);
  std::promise<std::exception_ptr> done;
  driver->read(results.data(), to, count * sizeof(float), nullptr,
               [&](std::exception_ptr error) { done.set_value(std::move(error)); });
  CHECK(done.get_future().get() == nullptr);
  for (int i = 0; i < count; ++i) REQUIRE(results[static_cast<std::size_t>(i)] == 2 * static_cast<float>(i));
  driver->release(from);
  driver->release(to);
}

TEST_CASE("a source that does not compile is an error with the compiler's words and the source") {
  const auto driver = openOpenCl(0);
  try {
    driver->compile("wrong", "KERNEL void wrong() { nonsense }");
    CHECK(false);
  } catch (const DeviceError& error) {
    CHECK(std::string(error.what()).find("nonsense") != std::string::npos);
    CHECK(error.kernelSource() == "KERNEL void wrong() { nonsense }");
  }
}

TEST_CASE("a device that is not there is refused") { CHECK_THROWS_AS(openOpenCl(1000), DeviceError); }

TEST_CASE("a device that refuses a query is left out of the list, and the other devices are listed") {
  const FaultsEnd end;
  const std::size_t count = devices().size();
  faults.question = CL_DEVICE_DOUBLE_FP_CONFIG;
  CHECK(openClDevices().empty());
  CHECK(devices().size() < count);
  CHECK_THROWS_AS(Device::open("opencl"), DeviceError);
}

TEST_CASE("a device that cannot be opened is an error of a device") {
  const FaultsEnd end;
  faults.contexts = CL_DEVICE_NOT_AVAILABLE;
  try {
    openOpenCl(0);
    CHECK(false);
  } catch (const DeviceError& error) {
    CHECK(std::string(error.what()).starts_with("tapestry::opencl:0: open: clCreateContext failed with"));
  }
}

TEST_CASE("an error of a launch is one of its kernel, and no error of memory as that of a buffer") {
  const FaultsEnd end;
  const Device device = Device::open("opencl");
  const DeviceTensor<float> x(device, Tensor<float>::full({4}, 1));
  faults.launches = CL_OUT_OF_RESOURCES;
  try {
    DeviceElementwise::exp(x).toHost().blockingAwait();
    CHECK(false);
  } catch (const DeviceError& error) {
    CHECK(dynamic_cast<const DeviceMemoryError*>(&error) == nullptr);
    CHECK(std::string(error.what())
              .starts_with(
                  "tapestry::opencl:0: launch: clEnqueueNDRangeKernel failed with error -5, of kernel "));
    CHECK(error.kernelSource().find("KERNEL void") != std::string::npos);
  }
  faults.buffers = CL_OUT_OF_RESOURCES;
  CHECK_THROWS_AS(DeviceTensor<float>(device, Tensor<float>::full({1000}, 1)), DeviceMemoryError);
}

TEST_CASE("a copy that fails on the device fails the copies to the host and the waits that follow") {
  const FaultsEnd end;
  const Device device = Device::open("opencl"), other = Device::open("opencl");
  faults.completions = CL_OUT_OF_RESOURCES;
  const DeviceTensor<float> x(device, Tensor<float>::full({4}, 1));
  faults.completions = CL_INVALID_VALUE;
  static_cast<void>(errorOf([&] { device.finish().blockingAwait(); }));
  faults.completions = CL_SUCCESS;
  const std::string first = "tapestry::opencl:0: the device failed with error -5";
  CHECK(errorOf([&] { x.toHost().blockingAwait(); }) == first);
  CHECK(errorOf([&] { device.finish().blockingAwait(); }) == first);
  other.finish().blockingAwait();
}

TEST_CASE("closing a device leaves another the products that it has compiled") {
  const auto driver = openOpenCl(0);
  driver->prepareProducts(false);
  const int before = faults.builds;
  CHECK(before > 0);
  { const auto other = openOpenCl(0); }
  driver->prepareProducts(false);
  CHECK(faults.builds == before);
}
