#include <tapestry/compute/kernels/device_product.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "support/devices/any_device.hpp"
#include "support/devices/fake_device.hpp"
#include "support/error_text.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;
using kernels::Transpose;
using E = DeviceElementwise;
using Product = DeviceProduct;

TEST_CASE_TEMPLATE("products of random shapes are the host's", T, float, double) {
  test::Random random(10);
  for (int round = 0; round < 40; ++round) {
    const std::size_t m = 1 + random.below(20), k = 1 + random.below(20), n = 1 + random.below(20);
    const bool left = random.below(2) == 0, right = random.below(2) == 0;
    const std::size_t batch = random.below(3);
    std::vector<std::size_t> extents;
    if (batch != 0) extents.push_back(batch + 1);
    extents.insert(extents.end(), {left ? k : m, left ? m : k});
    const Tensor<T> a = random.tensor<T>(Shape(extents)),
                    b = random.tensor<T>(right ? Shape{n, k} : Shape{k, n});
    const auto x = left ? Transpose::yes : Transpose::no, y = right ? Transpose::yes : Transpose::no;
    const DeviceTensor<T> ownA(testDevice(), a), ownB(testDevice(), b);
    REQUIRE(isClose(hostOf(Product::matmul(ownA, x, ownB, y)), kernels::matmul(a, x, b, y), tolerance<T>));
  }
}

TEST_CASE_TEMPLATE("vectors, and batches that broadcast", T, float, double) {
  test::Random random(11);
  const Tensor<T> v = random.tensor<T>({5}), a = random.tensor<T>({4, 5}), b = random.tensor<T>({5, 3});
  const Tensor<T> left = random.tensor<T>({2, 1, 4, 5}), right = random.tensor<T>({3, 5, 2});
  const auto own = [](const Tensor<T>& x) { return DeviceTensor<T>(testDevice(), x); };
  CHECK(isClose(hostOf(kernels::matmul(own(v), own(v))), kernels::matmul(v, v), tolerance<T>));
  CHECK(isClose(hostOf(kernels::matmul(own(a), own(v))), kernels::matmul(a, v), tolerance<T>));
  CHECK(isClose(hostOf(kernels::matmul(own(v), own(b))), kernels::matmul(v, b), tolerance<T>));
  CHECK(isClose(hostOf(kernels::matmul(own(left), own(right))), kernels::matmul(left, right), tolerance<T>));
  const Tensor<T> bias = random.tensor<T>({3});
  CHECK(isClose(hostOf(Product::affine(own(a), own(b), own(bias), "affine")),
                kernels::affine(a, b, bias, "affine"), tolerance<T>));
  const DeviceTensor<T> constant = DeviceTensor<T>::full({5, 3}, 2);
  CHECK(isClose(hostOf(kernels::matmul(own(a), constant)), kernels::matmul(a, Tensor<T>::full({5, 3}, 2)),
                tolerance<T>));
}

TEST_CASE("a transposed view is read in place") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("fake", std::make_unique<FakeDevice>(log));
  const DeviceTensor<float> x(device, Tensor<float>::full({3, 4}, 1));
  kernels::matmul(x.permute({1, 0}), x);
  Product::matmul(x, Transpose::no, x.permute({1, 0}), Transpose::no);
  device.finish().blockingAwait();
  CHECK(std::count(log->commands.begin(), log->commands.end(), "multiply 4x3x4 TN") == 1);
  CHECK(std::count(log->commands.begin(), log->commands.end(), "multiply 3x4x3 NT") == 1);
  CHECK(device.counts().kernels == 0);
}

TEST_CASE("a product of nothing is zeros, and shapes that do not fit are named") {
  const DeviceTensor<float> a(testDevice(), Tensor<float>::full({3, 0}, 1)),
      b(testDevice(), Tensor<float>::full({0, 2}, 1));
  const auto nothing = kernels::matmul(a, b);
  CHECK(hostOf(nothing) == Tensor<float>::zeros({3, 2}));
  // the result is on the device of the operands
  CHECK(hostOf(kernels::matmul(nothing, DeviceTensor<float>::full({2, 4}, 1))) ==
        Tensor<float>::zeros({3, 4}));
  CHECK_THROWS_AS(kernels::matmul(a, a), ShapeError);
  CHECK(errorOf([] {
          return kernels::matmul(DeviceTensor<float>::full({2, 2}, 1), DeviceTensor<float>::full({2, 2}, 1));
        }).find("expected one of a device") != std::string::npos);
}
