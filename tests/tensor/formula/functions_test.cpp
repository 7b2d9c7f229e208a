#include <tapestry/tensor/formula/functions.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tensor/kernels/support.hpp"

using namespace tapestry::formula;
using tapestry::test::Random;

namespace {

/// How many units in the last place the value is away from the exact one.
template <class T>
double ulps(T value, long double exact) {
  const T nearest = static_cast<T>(exact);
  if (std::isnan(nearest)) return std::isnan(value) ? 0 : 1e9;
  if (value == nearest) return std::signbit(value) == std::signbit(nearest) ? 0 : 1e9;
  if (std::isinf(nearest) || std::isinf(value) || std::isnan(value)) return 1e9;
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const int last = std::max(exponent, std::numeric_limits<T>::min_exponent) - std::numeric_limits<T>::digits;
  return static_cast<double>(std::abs((value - exact) / std::ldexp(1.0L, last)));
}

struct Interval {
  double low;
  double high;
};

/// Compares the function with the exact one at special values, and at random ones: evenly, and by magnitude.
template <class T, class F>
void check(const F& function, long double (*exact)(long double), Interval interval, double most = 4) {
  using Limits = std::numeric_limits<T>;
  const auto at = [&](T x) {
    CAPTURE(x);
    CHECK(ulps(function(Number<T>(x)).value(), exact(x)) <= most);
  };
  for (const T x : {T(0), T(-0.0), T(1), T(-1), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                    Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min()})
    at(x);
  Random random(3);
  for (int i = 0; i < 3000; ++i) at(static_cast<T>(random.real(interval.low, interval.high)));
  for (int i = 0; i < 3000; ++i) {
    const double x = std::exp(random.real(-80, 80));
    if (x < interval.high) at(static_cast<T>(x));
    if (-x > interval.low) at(static_cast<T>(-x));
  }
}

long double exactSigmoid(long double x) { return 1 / (1 + std::exp(-x)); }
long double exactSign(long double x) { return std::isnan(x) || x == 0 ? x : x > 0 ? 1.0L : -1.0L; }

// The arguments for which exponential functions neither overflow nor vanish.
template <class T>
constexpr Interval exponents = sizeof(T) == 4 ? Interval{-103, 88.7} : Interval{-745, 709.7};

}  // namespace

TEST_CASE_TEMPLATE("exponential functions are within 4 units in the last place", T, float, double) {
  check<T>([](auto x) { return exp(x); }, std::exp, exponents<T>);
  check<T>([](auto x) { return expm1(x); }, std::expm1, exponents<T>);
  check<T>([](auto x) { return expm1(x); }, std::expm1, {-1, 1});
  check<T>([](auto x) { return tanh(x); }, std::tanh, {-12, 12});
  check<T>([](auto x) { return sigmoid(x); }, exactSigmoid, {-80, 700});
}

TEST_CASE_TEMPLATE("logarithms are within 4 units in the last place", T, float, double) {
  check<T>([](auto x) { return log(x); }, std::log, {0, 1e30});
  check<T>([](auto x) { return log(x); }, std::log, {0.5, 2});
  check<T>([](auto x) { return log1p(x); }, std::log1p, {-1, 1e30});
  check<T>([](auto x) { return log1p(x); }, std::log1p, {-0.5, 2});
}

TEST_CASE_TEMPLATE("sqrt is within a unit in the last place", T, float, double) {
  check<T>([](auto x) { return sqrt(x); }, std::sqrt, {0, 1e30}, 1);
  CHECK(sqrt(Number<T>(4)).value() == 2);
}

TEST_CASE_TEMPLATE("sin and cos are exact to the last places of 1, and NaN beyond their range", T, float,
                   double) {
  const double range = sizeof(T) == 4 ? 1e4 : 1e6;
  const double error = std::numeric_limits<T>::epsilon();
  Random random(5);
  for (int i = 0; i < 10000; ++i) {
    const T x = static_cast<T>(i % 2 ? random.real(-10, 10) : random.real(-range, range));
    CAPTURE(x);
    CHECK(std::abs(sin(Number<T>(x)).value() - std::sin(static_cast<long double>(x))) < error);
    CHECK(std::abs(cos(Number<T>(x)).value() - std::cos(static_cast<long double>(x))) < error);
  }
  for (const double beyond : {2 * range, double(std::numeric_limits<T>::infinity())}) {
    CHECK(std::isnan(sin(Number<T>(beyond)).value()));
    CHECK(std::isnan(cos(Number<T>(-beyond)).value()));
  }
}

TEST_CASE_TEMPLATE("sign is -1, 0 or 1", T, float, double) {
  check<T>([](auto x) { return sign(x); }, exactSign, {-2, 2}, 0);
}
