#include <tapestry/compute/self_test.hpp>

#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_product.hpp>
#include <tapestry/compute/kernels/device_reduction.hpp>
#include <tapestry/tensor/kernels/activation.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>
#include <tapestry/tensor/kernels/comparison.hpp>
#include <tapestry/tensor/kernels/derivative.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/tensor/kernels/power.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/kernels/softmax.hpp>

#include "self_test/tester.hpp"

namespace tapestry {

namespace {

using Elementwise = DeviceElementwise;
using kernels::Transpose;

/// Tests functions of elements, reductions and products.
template <class T>
class KernelTester : public detail::Tester<T> {
 public:
  using detail::Tester<T>::Tester;

  void testAll() {
    testUnary();
    testBinary();
    testTernary();
    testReductions();
    testProducts();
  }

 private:
  using Device1 = DeviceTensor<T> (*)(DeviceTensor<T>);
  using Host1 = Tensor<T> (*)(Tensor<T>);
  using Device2 = DeviceTensor<T> (*)(DeviceTensor<T>, DeviceTensor<T>);
  using Host2 = Tensor<T> (*)(Tensor<T>, const Tensor<T>&);

  static constexpr double tolerance_ = detail::Tester<T>::tolerance;

  using detail::Tester<T>::onDevice;
  using detail::Tester<T>::test;

  void testUnary() {
    const Tensor<T> x = detail::specialNumbers<T>({7, 31}, 1);
    const DeviceTensor<T> own = onDevice(x);
#define TAPESTRY_TEST(name) \
  test(                     \
      #name, [&] { return Elementwise::name(own); }, Host1(kernels::name)(x));
    TAPESTRY_TEST(negate)
    TAPESTRY_TEST(abs)
    TAPESTRY_TEST(sign)
    TAPESTRY_TEST(sqrt)
    TAPESTRY_TEST(exp)
    TAPESTRY_TEST(expm1)
    TAPESTRY_TEST(log)
    TAPESTRY_TEST(log1p)
    TAPESTRY_TEST(sin)
    TAPESTRY_TEST(cos)
    TAPESTRY_TEST(relu)
    TAPESTRY_TEST(tanh)
    TAPESTRY_TEST(softplus)
    TAPESTRY_TEST(sigmoid)
    TAPESTRY_TEST(silu)
    TAPESTRY_TEST(gelu)
#undef TAPESTRY_TEST
  }

  void testBinary() {
    const Tensor<T> a = detail::specialNumbers<T>({5, 1, 24}, 2), b = detail::specialNumbers<T>({13, 24}, 3);
    const Tensor<T> c = detail::specialNumbers<T>({5, 24}, 4), d = detail::specialNumbers<T>({5, 24}, 5);
    const DeviceTensor<T> ownA = onDevice(a), ownB = onDevice(b), ownC = onDevice(c), ownD = onDevice(d);
#define TAPESTRY_TEST(name) \
  test(                     \
      #name, [&] { return Elementwise::name(ownA, ownB); }, Host2(kernels::name)(a, b));
    TAPESTRY_TEST(add)
    TAPESTRY_TEST(subtract)
    TAPESTRY_TEST(multiply)
    TAPESTRY_TEST(divide)
    TAPESTRY_TEST(maximum)
    TAPESTRY_TEST(minimum)
    TAPESTRY_TEST(where)
    TAPESTRY_TEST(unless)
    TAPESTRY_TEST(power)
    TAPESTRY_TEST(greater)
    TAPESTRY_TEST(greaterEqual)
    TAPESTRY_TEST(less)
    TAPESTRY_TEST(lessEqual)
    TAPESTRY_TEST(equal)
    TAPESTRY_TEST(notEqual)
#undef TAPESTRY_TEST
#define TAPESTRY_TEST(name) \
  test(                     \
      #name, [&] { return Elementwise::name(ownC, ownD); }, Host2(kernels::name)(c, d));
    TAPESTRY_TEST(reluDerivative)
    TAPESTRY_TEST(tanhDerivative)
    TAPESTRY_TEST(sigmoidDerivative)
    TAPESTRY_TEST(absDerivative)
    TAPESTRY_TEST(siluDerivative)
    TAPESTRY_TEST(geluDerivative)
#undef TAPESTRY_TEST
    test(
        "leakyRelu", [&] { return Elementwise::leakyRelu(ownC, T(0.1)); }, kernels::leakyRelu(c, T(0.1)));
    test(
        "elu", [&] { return Elementwise::elu(ownC, T(0.5)); }, kernels::elu(c, T(0.5)));
  }

  void testTernary() {
    const Tensor<T> delta = detail::numbers<T>({6, 20}, 6), a = detail::numbers<T>({6, 20}, 7),
                    b = detail::numbers<T>({6, 20}, 8);
    const DeviceTensor<T> ownDelta = onDevice(delta), ownA = onDevice(a), ownB = onDevice(b);
#define TAPESTRY_TEST(name)                                           \
  test(                                                               \
      #name, [&] { return Elementwise::name(ownDelta, ownA, ownB); }, \
      kernels::name(Tensor<T>(delta), a, b));
    TAPESTRY_TEST(maximumDerivativeLeft)
    TAPESTRY_TEST(maximumDerivativeRight)
    TAPESTRY_TEST(powerDerivativeLeft)
    TAPESTRY_TEST(powerDerivativeRight)
#undef TAPESTRY_TEST
  }

  void testReductions() {
    using Reduction = DeviceReduction;
    const Tensor<T> x = detail::numbers<T>({9, 40, 33}, 9);
    const DeviceTensor<T> own = onDevice(x);
    for (const Axes& axes : {Axes{0}, Axes{1}, Axes{2}, Axes{0, 2}, Axes::all()}) {
      test(
          "sum", [&] { return Reduction::sum(own, axes); }, kernels::sum(x, axes), 5 * tolerance_);
      test(
          "mean", [&] { return Reduction::mean(own, axes); }, kernels::mean(x, axes));
      test(
          "max", [&] { return Reduction::max(own, axes); }, kernels::max(x, axes));
      test(
          "logSumExp", [&] { return Reduction::logSumExp(own, axes); }, kernels::logSumExp(x, axes));
      test(
          "softmax", [&] { return Reduction::softmax(own, axes); }, kernels::softmax(x, axes));
      test(
          "logSoftmax", [&] { return Reduction::logSoftmax(own, axes); }, kernels::logSoftmax(x, axes));
    }
    const Tensor<T> large = detail::numbers<T>({1000003}, 10);
    test(
        "sum of 1000003", [&] { return Reduction::mean(onDevice(large)); },
        Tensor<T>::scalar(kernels::mean(large)));
    test(
        "sumTo",
        [&] {
          return Reduction::sumTo(own, {40, 1});
        },
        kernels::sumTo(x, {40, 1}), 5 * tolerance_);
  }

  void testProducts() {
    const Tensor<T> a = detail::numbers<T>({37, 65}, 11), b = detail::numbers<T>({65, 50}, 12),
                    c = detail::numbers<T>({50, 65}, 13);
    const Tensor<T> d = detail::numbers<T>({65, 37}, 14), e = detail::numbers<T>({4, 37, 65}, 15),
                    f = detail::numbers<T>({65}, 16);
    using Product = DeviceProduct;
    constexpr auto no = Transpose::no, yes = Transpose::yes;
    const auto product = [&](const char* name, const Tensor<T>& x, Transpose transposeX, const Tensor<T>& y,
                             Transpose transposeY) {
      test(
          name, [&] { return Product::matmul(onDevice(x), transposeX, onDevice(y), transposeY); },
          kernels::matmul(x, transposeX, y, transposeY));
    };
    product("matmul", a, no, b, no);
    product("matmul transposed left", d, yes, b, no);
    product("matmul transposed right", a, no, c, yes);
    product("matmul transposed both", d, yes, c, yes);
    product("matmul of a batch", e, no, b, no);
    product("matmul of a matrix and a vector", a, no, f, no);
    product("matmul of a vector and a matrix", f, no, b, no);
    test(
        "matmul of a transposed view",
        [&] {
          return Product::matmul(onDevice(d).permute({1, 0}), no, onDevice(b), no);
        },
        kernels::matmul(d, yes, b, no));
  }
};

template <class T>
void testKernels(const Device& device, std::vector<SelfTestResult>& results) {
  KernelTester<T> tester(device, results);
  tester.testAll();
  detail::testLayouts<T>(tester);
  detail::testConvolutions<T>(tester);
  detail::testFormulas<T>(tester);
}

}  // namespace

std::vector<SelfTestResult> selfTest(const Device& device) {
  std::vector<SelfTestResult> results;
  testKernels<float>(device, results);
  if (device.properties().hasDouble) testKernels<double>(device, results);
  return results;
}

}  // namespace tapestry
