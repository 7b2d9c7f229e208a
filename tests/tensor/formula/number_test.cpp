#include <tapestry/tensor/formula/number.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <concepts>
#include <limits>

using tapestry::formula::Mask;
using tapestry::formula::Number;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

template <class T>
concept Branches = requires(T mask) { mask ? 1 : 2; };
static_assert(!Branches<Mask<float>>);
static_assert(Branches<bool>);
static_assert(!std::constructible_from<Number<float>, const char*>);

}  // namespace

TEST_CASE("numbers have the arithmetic of their type, also with constants") {
  const Number<float> x(3.0F);
  CHECK((1 + x * 2 - x / 2.0).value() == 5.5F);
  CHECK((-x).value() == -3.0F);
  CHECK((0.1 + Number<float>(0)).value() == 0.1F);
  static_assert(std::same_as<decltype(1.0 + x), Number<float>>);
}

TEST_CASE("where chooses, and nothing is left of what it does not choose") {
  const Number<double> x(2);
  CHECK(where(x > 1, x, notANumber).value() == 2);
  CHECK(where(x > 3, infinity, 5).value() == 5);
  CHECK(where((x > 1) & (x < 3), 1, 0).value() == 1);
  CHECK(where((x < 1) | (x == 2), 1, 0).value() == 1);
  CHECK(where(!(x != 2), 1, 0).value() == 1);
  CHECK(where(x <= 2, 1, 0).value() == 1);
  CHECK(where(x >= 2.5, 1, 0).value() == 0);
}

TEST_CASE("max and min give NaN where an operand is NaN") {
  const Number<double> nan(notANumber), one(1);
  CHECK(max(one, 2).value() == 2);
  CHECK(min(one, 2).value() == 1);
  CHECK(std::isnan(max(nan, one).value()));
  CHECK(std::isnan(max(one, nan).value()));
  CHECK(std::isnan(min(nan, one).value()));
  CHECK(std::isnan(min(one, nan).value()));
}

TEST_CASE("abs clears the sign") {
  CHECK(abs(Number<float>(-2.5F)).value() == 2.5F);
  CHECK_FALSE(std::signbit(abs(Number<double>(-0.0)).value()));
}
