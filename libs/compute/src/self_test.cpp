#include <tapestry/compute/self_test.hpp>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/activation.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>
#include <tapestry/tensor/kernels/comparison.hpp>
#include <tapestry/tensor/kernels/derivative.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/tensor/kernels/power.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>

#include "self_test/tester.hpp"

namespace tapestry {

namespace {

using detail::Tester;
using kernels::Transpose;

#define TAPESTRY_TEST(name, ...)                                     \
  tester.compare(#name, Tester<T>::tolerance, std::tie(__VA_ARGS__), \
                 [](const auto&... operands) { return kernels::name(operands...); });

template <class T>
void testElements(Tester<T>& tester) {
  const Tensor<T> x = detail::specialNumbers<T>({7, 31}, 1);
  TAPESTRY_TEST(negate, x)
  TAPESTRY_TEST(abs, x)
  TAPESTRY_TEST(sign, x)
  TAPESTRY_TEST(sqrt, x)
  TAPESTRY_TEST(exp, x)
  TAPESTRY_TEST(expm1, x)
  TAPESTRY_TEST(log, x)
  TAPESTRY_TEST(log1p, x)
  TAPESTRY_TEST(sin, x)
  TAPESTRY_TEST(cos, x)
  TAPESTRY_TEST(relu, x)
  TAPESTRY_TEST(tanh, x)
  TAPESTRY_TEST(softplus, x)
  TAPESTRY_TEST(sigmoid, x)
  TAPESTRY_TEST(silu, x)
  TAPESTRY_TEST(gelu, x)
  constexpr double allowed = Tester<T>::tolerance;
  tester.compare("leakyRelu", allowed, std::tie(x),
                 [](const auto& y) { return kernels::leakyRelu(y, T(0.1)); });
  tester.compare("elu", allowed, std::tie(x), [](const auto& y) { return kernels::elu(y, T(0.5)); });
}

template <class T>
void testPairs(Tester<T>& tester) {
  const Tensor<T> a = detail::specialNumbers<T>({5, 1, 24}, 2), b = detail::specialNumbers<T>({13, 24}, 3);
  TAPESTRY_TEST(add, a, b)
  TAPESTRY_TEST(subtract, a, b)
  TAPESTRY_TEST(multiply, a, b)
  TAPESTRY_TEST(divide, a, b)
  TAPESTRY_TEST(maximum, a, b)
  TAPESTRY_TEST(minimum, a, b)
  TAPESTRY_TEST(where, a, b)
  TAPESTRY_TEST(unless, a, b)
  TAPESTRY_TEST(power, a, b)
  TAPESTRY_TEST(greater, a, b)
  TAPESTRY_TEST(greaterEqual, a, b)
  TAPESTRY_TEST(less, a, b)
  TAPESTRY_TEST(lessEqual, a, b)
  TAPESTRY_TEST(equal, a, b)
  TAPESTRY_TEST(notEqual, a, b)
  const Tensor<T> c = detail::specialNumbers<T>({5, 24}, 4), d = detail::specialNumbers<T>({5, 24}, 5);
  TAPESTRY_TEST(reluDerivative, c, d)
  TAPESTRY_TEST(tanhDerivative, c, d)
  TAPESTRY_TEST(sigmoidDerivative, c, d)
  TAPESTRY_TEST(absDerivative, c, d)
  TAPESTRY_TEST(siluDerivative, c, d)
  TAPESTRY_TEST(geluDerivative, c, d)
  const Tensor<T> delta = detail::numbers<T>({6, 20}, 6), e = detail::numbers<T>({6, 20}, 7),
                  f = detail::numbers<T>({6, 20}, 8);
  TAPESTRY_TEST(maximumDerivativeLeft, delta, e, f)
  TAPESTRY_TEST(powerDerivativeLeft, delta, e, f)
  TAPESTRY_TEST(powerDerivativeRight, delta, e, f)
}
#undef TAPESTRY_TEST

template <class T>
void testReductions(Tester<T>& tester) {
  constexpr double allowed = Tester<T>::tolerance;
  const Tensor<T> x = detail::numbers<T>({9, 40, 33}, 9);
  for (const Axes& axes : {Axes{0}, Axes{1}, Axes{2}, Axes{0, 2}, Axes::all()}) {
    tester.compare("sum", 5 * allowed, std::tie(x), [&](const auto& y) { return kernels::sum(y, axes); });
    tester.compare("mean", allowed, std::tie(x), [&](const auto& y) { return kernels::mean(y, axes); });
    tester.compare("max", allowed, std::tie(x), [&](const auto& y) { return kernels::max(y, axes); });
    tester.compare("logSumExp", allowed, std::tie(x),
                   [&](const auto& y) { return kernels::logSumExp(y, axes); });
    tester.compare("softmax", allowed, std::tie(x), [&](const auto& y) { return kernels::softmax(y, axes); });
    tester.compare("logSoftmax", allowed, std::tie(x),
                   [&](const auto& y) { return kernels::logSoftmax(y, axes); });
  }
  tester.compare("mean of 1000003", allowed, std::tuple(detail::numbers<T>({1000003}, 10)),
                 [](const auto& y) { return kernels::mean(y, Axes::all()); });
  tester.compare("sumTo", 5 * allowed, std::tie(x), [](const auto& y) { return kernels::sumTo(y, {40, 1}); });
}

template <class T>
void testProducts(Tester<T>& tester) {
  const Tensor<T> a = detail::numbers<T>({37, 65}, 11), b = detail::numbers<T>({65, 50}, 12),
                  c = detail::numbers<T>({50, 65}, 13);
  const Tensor<T> d = detail::numbers<T>({65, 37}, 14), e = detail::numbers<T>({4, 37, 65}, 15),
                  f = detail::numbers<T>({65}, 16);
  constexpr auto no = Transpose::no, yes = Transpose::yes;
  const auto product = [&](const char* name, const Tensor<T>& x, Transpose transposeX, const Tensor<T>& y,
                           Transpose transposeY) {
    tester.compare(name, Tester<T>::tolerance, std::tie(x, y), [=](const auto& l, const auto& r) {
      return kernels::matmul(l, transposeX, r, transposeY);
    });
  };
  product("matmul", a, no, b, no);
  product("matmul transposed left", d, yes, b, no);
  product("matmul transposed right", a, no, c, yes);
  product("matmul transposed both", d, yes, c, yes);
  product("matmul of a batch", e, no, b, no);
  product("matmul of a matrix and a vector", a, no, f, no);
  product("matmul of a vector and a matrix", f, no, b, no);
  tester.test(
      "matmul of a transposed view",
      [&] {
        return kernels::matmul(tester.onDevice(d).permute({1, 0}), tester.onDevice(b));
      },
      kernels::matmul(d, yes, b, no));
}

template <class T>
void testKernels(const Device& device, std::vector<SelfTestResult>& results) {
  Tester<T> tester(device, results);
  testElements(tester);
  testPairs(tester);
  testReductions(tester);
  testProducts(tester);
  detail::testLayouts(tester);
  detail::testConvolutions(tester);
  detail::testFormulas(tester);
}

}  // namespace

std::vector<SelfTestResult> selfTest(const Device& device) {
  std::vector<SelfTestResult> results;
  testKernels<float>(device, results);
  if (device.properties().hasDouble) testKernels<double>(device, results);
  return results;
}

}  // namespace tapestry
