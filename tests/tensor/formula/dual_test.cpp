#include <tapestry/tensor/formula/dual.hpp>

#include <doctest/doctest.h>

#include <cmath>

#include "tensor/kernels/support.hpp"

using namespace tapestry::formula;
using tapestry::test::Random;

namespace {

using N = Number<double>;

double valueOf(N x) { return x.value(); }

/// The derivative of f at x by duals, which central differences agree with.
template <class F>
double slope(const F& f, double x) {
  const auto y = f(Dual<N, 1>::operand<0>(x));
  CHECK(valueOf(y.value()) == doctest::Approx(valueOf(f(N(x)))));
  const double h = 1e-6;
  const double differences = (valueOf(f(N(x + h))) - valueOf(f(N(x - h)))) / (2 * h);
  CAPTURE(x);
  CHECK(valueOf(y.template partial<0>()) == doctest::Approx(differences).epsilon(1e-5));
  return valueOf(y.template partial<0>());
}

}  // namespace

TEST_CASE("each function has its derivative") {
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const double x = random.real(0.1, 3), signed_ = random.real(-3, 3);
    slope([](auto v) { return log(v) + sqrt(v) + log1p(v) + 1 / v; }, x);
    slope([](auto v) { return exp(v) - expm1(v * 0.5); }, signed_);
    slope([](auto v) { return sin(v) * cos(v) + v * 3 - 2 * v; }, signed_);
    slope([](auto v) { return tanh(v) / (2 + sigmoid(v)) - +v; }, signed_);
    slope([](auto v) { return where(v > 0.5, v * v, -v) + max(v, 0.3) + min(v, 0.2) + abs(v) * sign(v); },
          signed_);
  }
}

TEST_CASE("at a kink max, min and abs have the mean of both sides, where that of the chosen side") {
  const auto at = [](double x) { return Dual<N, 1>::operand<0>(x); };
  CHECK(valueOf(max(at(0), 0).partial<0>()) == 0.5);
  CHECK(valueOf(min(at(0), 0).partial<0>()) == 0.5);
  CHECK(valueOf(abs(at(0)).partial<0>()) == 0);
  CHECK(valueOf(where(at(0) > 0, at(0), 0).partial<0>()) == 0);
}

TEST_CASE("the operand that where does not choose leaves no NaN in the derivative") {
  const auto x = Dual<N, 1>::operand<0>(0);
  CHECK(valueOf(where(x > 0, sqrt(x), x).partial<0>()) == 1);
}

TEST_CASE("a formula of several operands has a derivative for each") {
  using D = Dual<N, 3>;
  const auto y = D::operand<0>(2) * D::operand<1>(3) / D::operand<2>(4);
  CHECK(valueOf(y.value()) == 1.5);
  CHECK(valueOf(y.partial<0>()) == 0.75);
  CHECK(valueOf(y.partial<1>()) == 0.5);
  CHECK(valueOf(y.partial<2>()) == -0.375);
}

TEST_CASE("duals of duals give second derivatives") {
  using D = Dual<N, 1>;
  const auto x = Dual<D, 1>::operand<0>(D::operand<0>(0.7));
  const double second = valueOf((x * x * x + exp(2 * x)).partial<0>().partial<0>());
  CHECK(second == doctest::Approx(6 * 0.7 + 4 * std::exp(1.4)));
}

TEST_CASE("an operand that a function does not depend on has the derivative 0 where its slope is infinite") {
  using D = Dual<N, 2>;
  const D a = D::operand<0>(0), w = D::operand<1>(3);
  const auto ofW = [](const D& y) { return valueOf(y.partial<1>()); };
  CHECK(ofW(sqrt(a) * w) == 0);
  CHECK(ofW(sqrt(a) + w) == 1);
  CHECK(ofW(log(a) + w) == 1);
  CHECK(ofW(log1p(a - 1) + w) == 1);
  CHECK(ofW(1 / (1 + exp(a + 1000)) + w) == 1);
  CHECK(std::isinf(valueOf((sqrt(a) * w).partial<0>())));
}

TEST_CASE("a product or a quotient does not multiply the derivative 0 by an infinite value") {
  using D = Dual<N, 2>;
  const D x = D::operand<0>(0), w = D::operand<1>(3);
  CHECK(valueOf((1 / x + w).partial<1>()) == 1);
  CHECK(valueOf((w / 1 + 1 / x).partial<1>()) == 1);
  CHECK(valueOf((2 * log(x)).partial<0>()) == INFINITY);
  CHECK(valueOf((log(x) * 2).partial<0>()) == INFINITY);
  CHECK(valueOf((1 / x).partial<0>()) == -INFINITY);
  CHECK(std::isnan(valueOf((w * NAN).partial<1>())));
  CHECK(std::isnan(valueOf((w / NAN).partial<1>())));
}

TEST_CASE("a derivative that is 0 at one point alone keeps its own derivative") {
  using D = Dual<N, 1>;
  const auto x = Dual<D, 1>::operand<0>(D::operand<0>(0));
  CHECK(valueOf(log1p(x * x + 1).partial<0>().partial<0>()) == 1);
  CHECK(valueOf((x * x * 3).partial<0>().partial<0>()) == 6);
  CHECK(valueOf((x * x / 2).partial<0>().partial<0>()) == 1);
}
