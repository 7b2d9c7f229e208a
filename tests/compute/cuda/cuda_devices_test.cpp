#include <tapestry/compute/cuda/cuda_devices.hpp>

#include <dlfcn.h>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include <tapestry/compute/device.hpp>
#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/kernels/device_convolution.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/compute/kernels/device_pooling.hpp>
#include <tapestry/compute/kernels/device_product.hpp>

#include "support/devices/any_device.hpp"
#include "support/error_text.hpp"
#include "support/threads/within.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

const std::vector<std::string> fakeName{TAPESTRY_FAKE_CUDA};
const CudaLibraries fakes{fakeName, fakeName, fakeName};

/// The fake's own functions.
class Fake {
 public:
  Fake() : handle_(dlopen(TAPESTRY_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL)) {
    REQUIRE(handle_ != nullptr);
    static_cast<void>(calls());
    fails("");
  }
  ~Fake() {
    fails("");
    dlclose(handle_);
  }

  std::string calls() const { return find<const char*()>("fakeCudaCalls")(); }
  void fails(const char* what) const { find<void(const char*)>("fakeCudaFails")(what); }
  int misused() const { return find<int()>("fakeCudaMisused")(); }
  int held() const { return find<int()>("fakeCudaHeld")(); }
  /// What is held when the callbacks have ended, each on its thread.
  int heldAtLast() const {
    within(std::chrono::seconds(10), [&] { return held() == 0; });
    return held();
  }

 private:
  template <class F>
  F* find(const char* name) const {
    return reinterpret_cast<F*>(dlsym(handle_, name));
  }

  void* handle_;
};

bool has(const std::string& calls, const std::string& call) { return calls.find(call) != std::string::npos; }

Device openFake() { return Device("cuda:0", openCuda(0, fakes)); }

}  // namespace

TEST_CASE("devices of CUDA are listed with what the driver says of them") {
  const Fake fake;
  const auto all = cudaDevices(fakes);
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "Fake A");
  CHECK(all[1].name == "Fake B");
  CHECK(all[0].driver == "CUDA 12.4");
  CHECK(all[0].memory == 1 << 24);
  CHECK(all[0].parallelism == 8 * 2048);
}

TEST_CASE("without a library there is no device, and opening one names the libraries") {
  const CudaLibraries none{{"libnone.so"}, {"libnone.so"}, {"libnone.so"}};
  CHECK(cudaDevices(none).empty());
  CHECK_THROWS_AS(openCuda(0, none), DeviceError);
  const CudaLibraries noCompiler{fakeName, {"libnone1.so", "libnone2.so"}, fakeName};
  CHECK(errorOf([&] { return openCuda(0, noCompiler); }) ==
        "tapestry::cuda: no library for NVRTC, expected one of libnone1.so, libnone2.so");
  CHECK_THROWS_AS(openCuda(2, fakes), DeviceError);
}

TEST_CASE("a kernel is compiled for the device's architecture, and launched") {
  const Fake fake;
  {
    const Device device = openFake();
    const DeviceTensor<float> x(device, Tensor<float>::full({1000}, 1));
    DeviceElementwise::exp(x).compute();
    device.finish().blockingAwait();
    const std::string calls = fake.calls();
    CHECK(has(calls, "nvrtcCompileProgram --gpu-architecture=sm_90\n"));
    CHECK(has(calls, "cuModuleLoadData image\n"));
    CHECK(has(calls, "cuModuleGetFunction wide_exp\n"));
    CHECK(has(calls, "cuLaunchKernel 1x256\n"));  // 250 work-items of four elements
    CHECK(has(calls, "nvrtcDestroyProgram\n"));
    CHECK(hostOf(x) == Tensor<float>::full({1000}, 1));
  }
  CHECK(fake.heldAtLast() == 0);
  CHECK(has(fake.calls(), "cuModuleUnload\n"));
}

TEST_CASE("a product in rows is one in columns of the transposes in the other order") {
  const Fake fake;
  const Device device = openFake();
  const DeviceTensor<float> a(device, Tensor<float>::full({3, 4}, 1)),
      b(device, Tensor<float>::full({5, 4}, 1));
  DeviceProduct::matmul(a, kernels::Transpose::no, b, kernels::Transpose::yes);
  device.finish().blockingAwait();
  // transposed, not transposed, m = 5, n = 3, k = 4, the rows' lengths, one product
  CHECK(has(fake.calls(), "cublasSgemmStridedBatched 1 0 5 3 4 4 4 5 1\n"));
}

TEST_CASE("a convolution is a generated kernel and a product of cuBLAS for each group, a pooling a kernel") {
  const Fake fake;
  const Device device = openFake();
  const DeviceTensor<float> x(device, Tensor<float>::full({3, 4, 5, 5}, 1)),
      w(device, Tensor<float>::full({6, 2, 3, 3}, 1));
  DeviceConvolution::convolve(x, w, {.groups = 2});
  DevicePooling::maxPool(x, {.window = 2});
  device.finish().blockingAwait();
  const std::string calls = fake.calls();
  CHECK(has(calls, "nvrtcCreateProgram unfold_float.cu\n"));
  CHECK(has(calls, "cuLaunchKernel 4x256\n"));  // 2 groups, 18 elements of a filter, 3 images, 9 places
  // for two groups: m = 3 images * 9 places, n = 3 filters, k = 18 elements of a filter, the rows' lengths
  CHECK(has(calls, "cublasSgemmStridedBatched 0 0 27 3 18 27 18 27 2\n"));
  CHECK(has(calls, "nvrtcCreateProgram max_pool_float.cu\n"));
  CHECK(has(calls, "cuLaunchKernel 1x256\n"));  // 3 * 4 planes of 4 places
}

TEST_CASE("errors of the driver fail the operations that depend on the failed call") {
  const Fake fake;
  {
    const Device device = openFake();
    const DeviceTensor<float> x(device, Tensor<float>::full({8}, 1));
    fake.fails("nvrtcCompileProgram 6");
    const DeviceTensor<float> y = DeviceElementwise::exp(x);
    const std::string text = errorOf([&] { return hostOf(y); });
    CHECK(has(text, "tapestry::cuda:0: kernel wide_exp does not compile: the log"));
    fake.fails("cuLaunchKernel 1x256 700");
    CHECK(has(errorOf([&] { return hostOf(DeviceElementwise::log(x)); }),
              "launch failed with error 700, an error"));
    fake.fails("cuStreamAddCallback 719");
    CHECK(has(errorOf([&] { return hostOf(x); }), "the device failed with error 719"));
    fake.fails("");
    CHECK_THROWS_AS(DeviceTensor<float>(device, Tensor<float>::full({1 << 23}, 1)), DeviceMemoryError);
    CHECK(hostOf(x)(3) == 1);
  }
  CHECK(fake.heldAtLast() == 0);
}

TEST_CASE("a status of NVRTC or cuBLAS is not one of the driver") {
  const Fake fake;
  const Tensor<float> ones = Tensor<float>::full({2, 2}, 1);
  const auto product = [&](const char* failing) {
    const Device device = openFake();
    const DeviceTensor<float> x(device, ones);
    fake.fails(failing);
    const DeviceTensor<float> y = kernels::matmul(x, x);
    device.finish().blockingAwait();
    return errorOf([&] { hostOf(y); });
  };
  CHECK(product("cublasCreate 1") == "tapestry::cuda:0: create a handle failed with error 1 of cuBLAS");
  CHECK(!has(fake.calls(), "cublasDestroy"));
  CHECK(product("cublasSetStream 2") == "tapestry::cuda:0: set the stream failed with error 2 of cuBLAS");
  CHECK(has(fake.calls(), "cublasDestroy\n"));  // the handle that was made
  CHECK(product("cublasSgemmStridedBatched 0 0 2 2 2 2 2 2 1 13") ==
        "tapestry::cuda:0: product failed with error 13 of cuBLAS");
  fake.fails("nvrtcCreateProgram wide_exp.cu 2");
  const Device device = openFake();
  const DeviceTensor<float> x(device, ones);
  try {
    hostOf(DeviceElementwise::exp(x));
    CHECK(false);
  } catch (const DeviceError& error) {
    CHECK(std::string(error.what()) == "tapestry::cuda:0: create a program failed with error 2 of NVRTC");
    CHECK(dynamic_cast<const DeviceMemoryError*>(&error) == nullptr);
  }
  fake.fails("cublasCreate 3");  // cuBLAS has too little memory
  CHECK_THROWS_AS(hostOf(kernels::matmul(x, x)), DeviceMemoryError);
}

TEST_CASE("pinned memory of copies is freed while its context exists, even if the driver ends before") {
  const Fake fake;
  for (int i = 0; i < 100; ++i) {
    const Device device = openFake();
    const DeviceTensor<float> x(device, Tensor<float>::full({100000}, 1));
  }
  CHECK(fake.heldAtLast() == 0);
  CHECK(fake.misused() == 0);
}

TEST_CASE("a copy that fails gives its pinned memory back, and trim frees it") {
  const Fake fake;
  const Device device = openFake();
  const Tensor<float> numbers = Tensor<float>::full({100000}, 1);
  const DeviceTensor<float> x(device, numbers);
  device.finish().blockingAwait();
  const int before = fake.held();
  for (const char* what : {"cuMemcpyHtoDAsync 700", "cuStreamAddCallback -700"}) {
    fake.fails(what);
    CHECK_THROWS_AS(DeviceTensor<float>(device, numbers), DeviceError);
  }
  for (const char* what : {"cuMemcpyDtoHAsync 700", "cuStreamAddCallback -700", "cuStreamAddCallback 700"}) {
    fake.fails(what);
    CHECK_THROWS_AS(hostOf(x), DeviceError);
  }
  fake.fails("");
  CHECK(has(fake.calls(), "cuStreamSynchronize\n"));  // before the memory of a copy under way is free
  CHECK(hostOf(x) == numbers);
  CHECK(within(std::chrono::seconds(10), [&] {  // a callback may still hold what it copied from
    device.trim();
    return fake.held() < before;
  }));
  CHECK(has(fake.calls(), "cuMemFreeHost\n"));
}
