#include <tapestry/compute/kernels/device_formula.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/formula.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "support/devices/any_device.hpp"
#include "support/error_text.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

constexpr auto formulaOfFour = [](auto a, auto b, auto c, auto d) {
  return where((a > b) & !(c == d), max(a, b) * c, sigmoid(a) - min(c, d) / (2 + d * d));
};

/// The values and all deltas of a formula, on the host or on the device.
template <class X, class F, class... As>
std::vector<X> valuesOfFormula(const F& formula, const X& delta, const As&... operands) {
  std::array<bool, sizeof...(As)> wanted;
  wanted.fill(true);
  std::vector<X> results{kernels::evaluate("test", formula, operands...)};
  for (const X& x : kernels::differentiate(kernels::DualGradient<F>{formula}, delta, wanted, operands...))
    results.push_back(x);
  return results;
}

}  // namespace

TEST_CASE_TEMPLATE("formulas have the host's values and deltas, for operands of random shapes", T, float,
                   double) {
  test::Random random(21);
  for (int round = 0; round < 10; ++round) {
    const Shape shape = random.shape();
    std::array<Tensor<T>, 4> x;
    for (Tensor<T>& each : x) each = random.tensor<T>(random.stretching(shape));
    x[0] = random.tensor<T>(shape);
    const Tensor<T> delta = random.tensor<T>(shape);
    const auto on = [](const Tensor<T>& host) { return DeviceTensor<T>(testDevice(), host); };
    const auto compare = [](const std::vector<DeviceTensor<T>>& got, const std::vector<Tensor<T>>& expected) {
      for (std::size_t i = 0; i < expected.size(); ++i)
        REQUIRE(isClose(hostOf(got[i]), expected[i], tolerance<T>));
    };
    compare(valuesOfFormula(formulaOfFour, on(delta), on(x[0]), on(x[1]), on(x[2]), on(x[3])),
            valuesOfFormula(formulaOfFour, delta, x[0], x[1], x[2], x[3]));
    compare(valuesOfFormula(formulaOfFour, on(delta), 0.25F, on(x[0]), T(0.5), on(x[3])),
            valuesOfFormula(formulaOfFour, delta, 0.25F, x[0], T(0.5), x[3]));
  }
}

TEST_CASE("each function of a formula has the host's values and derivative") {
  test::Random random(22);
  const Tensor<double> x = random.tensor<double>({60}, 0.1, 2), delta = random.tensor<double>({60});
  const DeviceTensor<double> ownX(testDevice(), x), ownDelta(testDevice(), delta);
  const auto check = [&](const auto& formula) {
    const auto got = valuesOfFormula(formula, ownDelta, ownX);
    const auto expected = valuesOfFormula(formula, delta, x);
    CHECK(isClose(hostOf(got[0]), expected[0], 1e-13));
    CHECK(isClose(hostOf(got[1]), expected[1], 1e-13));
    // the formula of a constant is computed on the host
    const auto ofConstant =
        valuesOfFormula(formula, DeviceTensor<double>::scalar(3), DeviceTensor<double>::scalar(0.75));
    const auto ofScalar = valuesOfFormula(formula, Tensor<double>::scalar(3), Tensor<double>::scalar(0.75));
    CHECK_FALSE(ofConstant[0].device());
    CHECK(isClose(hostOf(ofConstant[0]), ofScalar[0], 1e-13));
    CHECK(isClose(hostOf(ofConstant[1]), ofScalar[1], 1e-13));
  };
  check([](auto a) { return exp(a) - expm1(-a); });
  check([](auto a) { return log(a) * log1p(a); });
  check([](auto a) { return sqrt(a) + abs(1 - a) * sign(a - 1); });
  check([](auto a) { return sin(a) / cos(a / 2); });
  check([](auto a) { return tanh(a) - sigmoid(a); });
  check([](auto a) { return where((a < 1) | (a >= 1.5), a * a, 2 - a); });
  check([](auto a) { return where((a != 1) & !(a <= 0.5), 1, a); });
  check([](auto a) { return max(a, 1.2) + min(a, 0.7); });
}

TEST_CASE("a formula is part of a larger kernel, and all its deltas are one kernel") {
  test::Random random(23);
  const auto onDevice = [&] { return DeviceTensor<float>(testDevice(), random.tensor<float>({40})); };
  const DeviceTensor<float> a = onDevice(), b = onDevice(), c = onDevice(), delta = onDevice();
  const auto formula = [](auto x, auto y, auto z) { return exp(x * y) + y * z; };
  testDevice().finish().blockingAwait();
  const auto before = testDevice().counts();
  const auto value = kernels::evaluate("test", formula, DeviceElementwise::negate(a), b, c);
  CHECK(testDevice().counts().kernels == before.kernels);
  DeviceElementwise::tanh(value).compute();
  CHECK(testDevice().counts().kernels == before.kernels + 1);
  const kernels::DualGradient<decltype(formula)> gradient{formula};
  const auto deltas = kernels::differentiate(gradient, delta, std::array{true, true, true}, a, b, c);
  for (const auto& each : deltas) each.compute();
  CHECK(testDevice().counts().kernels == before.kernels + 2);
  const auto one = kernels::differentiate(gradient, delta, std::array{false, true, false}, a, b, c);
  CHECK(testDevice().counts().kernels == before.kernels + 2);
  CHECK(hostOf(one[1]) == hostOf(deltas[1]));
  CHECK(testDevice().counts().kernels == before.kernels + 3);
  testDevice().finish().blockingAwait();
}

TEST_CASE("a formula of five operands has all its deltas, and one of more than six is refused") {
  test::Random random(24);
  std::array<Tensor<float>, 6> x;
  for (Tensor<float>& each : x) each = random.tensor<float>({7});
  const auto on = [](const Tensor<float>& host) { return DeviceTensor<float>(testDevice(), host); };
  const auto formula = [](auto a, auto b, auto c, auto d, auto e) { return a * b + c * d * e; };
  const auto got = valuesOfFormula(formula, on(x[5]), on(x[0]), on(x[1]), on(x[2]), on(x[3]), on(x[4]));
  const auto expected = valuesOfFormula(formula, x[5], x[0], x[1], x[2], x[3], x[4]);
  for (std::size_t i = 0; i < expected.size(); ++i)
    REQUIRE(isClose(hostOf(got[i]), expected[i], tolerance<float>));
  const auto sum = [](auto... all) { return (all + ...); };
  const DeviceTensor<float> one = on(x[0]);
  CHECK(errorOf([&] {
          static_cast<void>(kernels::evaluate("sum of seven", sum, one, one, one, one, one, one, one));
        }) == "tapestry::sum_of_seven: too many operands for a device, got 7, expected at most 6");
}

TEST_CASE("a formula without captures is recorded once, and one with captures at each call") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>({2}, {1, 2}));
  int calls = 0;
  const auto counting = [&calls](auto a) {
    ++calls;
    return 3 * a;
  };
  for (int i = 0; i < 3; ++i)
    CHECK(hostOf(kernels::evaluate("counting", counting, x)) == Tensor<float>({2}, {3, 6}));
  CHECK(calls == 3);
  static int pureCalls = 0;
  const auto pure = [](auto a, auto b) {
    ++pureCalls;
    return a * b;
  };
  for (float factor = 3; factor < 6; ++factor)
    CHECK(hostOf(kernels::evaluate("pure", pure, x, factor))(1) == 2 * factor);
  CHECK(pureCalls == 1);
  const kernels::DualGradient<decltype(pure)> gradient{pure};
  for (const std::array<bool, 2>& wanted : {std::array{true, false}, std::array{false, true}}) {
    const auto deltas = kernels::differentiate(gradient, x, wanted, x, 5.0F);
    if (wanted[0]) CHECK(hostOf(deltas[0]) == Tensor<float>({2}, {5, 10}));
    if (wanted[1]) CHECK(hostOf(deltas[1]) == Tensor<float>({2}, {1, 4}));
  }
  const int recorded = pureCalls;
  static_cast<void>(kernels::differentiate(gradient, x, std::array{true, true}, x, 2.0F)[0].compute());
  CHECK(pureCalls == recorded);
}

TEST_CASE("several formulas in one kernel are distinguished, and may have any names") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>({3}, {1, 2, 3}));
  const auto twice = kernels::evaluate(
      "f of x", [](auto a) { return 2 * a; }, x);
  const auto next = kernels::evaluate(
      "f of x", [](auto a) { return a + 1; }, twice);
  CHECK(hostOf(next) == Tensor<float>({3}, {3, 5, 7}));
}

TEST_CASE("a formula's operands that do not broadcast are an error that names the operation") {
  const DeviceTensor<float> two(testDevice(), Tensor<float>::zeros({2})),
      three(testDevice(), Tensor<float>::zeros({3}));
  const auto sum = [](auto a, auto b) { return a + b; };
  CHECK(errorOf([&] { static_cast<void>(kernels::evaluate("f of x", sum, two, three)); }).find("f of x") !=
        std::string::npos);
}

TEST_CASE("a device that does not fuse computes formulas and all their deltas") {
  const Device device = Device::open(testDeviceName(), {.fuse = false});
  const Tensor<float> a({3}, {1, 2, 3}), b({3}, {2, 0.5F, -1});
  const DeviceTensor<float> ownA(device, a), ownB(device, b);
  const auto formula = [](auto x, auto y) { return exp(x * y) + y; };
  const auto got = valuesOfFormula(formula, ownA, ownA, ownB);
  const auto expected = valuesOfFormula(formula, a, a, b);
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(isClose(hostOf(got[i]), expected[i], 1e-5));
}

TEST_CASE("a derivative is 0, as on the host, where a factor of the chain rule is 0 and another infinite") {
  const Tensor<float> x({3}, {-1, 0, 1}), delta = Tensor<float>::full({3}, 1);
  const DeviceTensor<float> ownX(testDevice(), x), ownDelta(testDevice(), delta);
  const auto check = [&](const auto& formula) {
    const auto got = valuesOfFormula(formula, ownDelta, ownX);
    CHECK(isClose(hostOf(got[1]), valuesOfFormula(formula, delta, x)[1], 1e-6));
    CHECK(hostOf(got[1])(0) == hostOf(got[1])(0));  // no NaN
  };
  check([](auto a) { return sqrt(max(a, 0)); });
  check([](auto a) { return log(max(a, 0)); });
  check([](auto a) { return sqrt(a * a); });
}
