#include <tapestry/tensor/formula/term.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tapestry/tensor/formula/dual.hpp"

using namespace tapestry::formula;

namespace {

std::string sourceFor(const Term& result, const char* type = "float") {
  const Source source = sourceOf(std::array{result}, type);
  return source.statements + "return " + source.results[0] + ";\n";
}

const Term x = Term::operand(0), y = Term::operand(1);
const auto swish = [](auto v) { return v / (1 + exp(-v)); };

// What terms record is also compiled here.
#define RECORDED(name, ...)              \
  double name(double x0) { __VA_ARGS__ } \
  constexpr const char* name##Text = #__VA_ARGS__;

using std::exp;
RECORDED(swishOf, const double t0 = -x0; const double t1 = exp(t0); const double t2 = 1.0 + t1;
         const double t3 = x0 / t2; return t3;)

std::string withoutSpace(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

}  // namespace

TEST_CASE("a formula is recorded as statements, each part once") {
  CHECK(withoutSpace(sourceFor(swish(x), "double")) == withoutSpace(swishOfText));
  CHECK(swishOf(0.7) == doctest::Approx(0.7 / (1 + std::exp(-0.7))));
  const Term twice = sqrt(x);
  CHECK(sourceFor(twice * twice) == "const float t0 = sqrt(x0);\nconst float t1 = t0 * t0;\nreturn t1;\n");
}

TEST_CASE("comparisons, choices and constants are recorded as C writes them") {
  CHECK(sourceFor(where(x > 0, y, -2)) ==
        "const int t0 = x0 > 0.0f;\nconst float t1 = t0 ? x1 : (-2.0f);\nreturn t1;\n");
  CHECK(sourceFor(where((x < y) & !(x == 1), abs(x), 1e-9)) ==
        "const int t0 = x0 < x1;\nconst int t1 = x0 == 1.0f;\nconst int t2 = !t1;\n"
        "const int t3 = t0 && t2;\nconst float t4 = fabs(x0);\nconst float t5 = t3 ? t4 : "
        "1.0000000000000001e-09f;\n"
        "return t5;\n");
  CHECK(sourceFor(Term(HUGE_VAL)) == "return INFINITY;\n");
}

TEST_CASE("derivatives are recorded too, without zeros and ones") {
  using D = Dual<Term, 2>;
  const D product = D::operand<0>(x) * D::operand<1>(y);
  CHECK(sourceFor(product.partial<0>()) == "return x1;\n");
  CHECK(sourceFor(product.partial<1>()) == "return x0;\n");
  const auto slope = swish(Dual<Term, 1>::operand<0>(x)).partial<0>();
  CHECK(sourceFor(slope).find("0.0f") == std::string::npos);
}

TEST_CASE("several results share their parts") {
  const Term root = sqrt(x);
  const Source source = sourceOf(std::array{root + 1, root - 1}, "double");
  CHECK(source.statements ==
        "const double t0 = sqrt(x0);\nconst double t1 = t0 + 1.0;\nconst double t2 = t0 - 1.0;\n");
  CHECK(source.results == std::vector<std::string>{"t1", "t2"});
}

TEST_CASE("a recorded formula has its value for given operands") {
  const auto formula = [](const auto& a, const auto& b) {
    return where((a > 0) & !(b == 1), max(a, b) * exp(-a), sqrt(b)) - min(a, 0.5) / (2 + sin(b) * tanh(a));
  };
  const auto expected = [](double a, double b) {
    return (a > 0 && b != 1 ? std::max(a, b) * std::exp(-a) : std::sqrt(b)) -
           std::min(a, 0.5) / (2 + std::sin(b) * std::tanh(a));
  };
  for (const double a : {-1.5, 0.25, 2.0})
    for (const double b : {0.5, 1.0, 3.0})
      CHECK(valueOf(formula(x, y), std::array{a, b}) == doctest::Approx(expected(a, b)).epsilon(1e-14));
  CHECK(valueOf(where((x < y) | (x >= 2), log(x) + log1p(y), cos(x)), std::array{2.0, 1.0}) ==
        doctest::Approx(std::log(2) + std::log1p(1)));
  CHECK(valueOf(where(x <= y, abs(x), expm1(x)), std::array{-2.0, 1.0}) == 2);
  CHECK(valueOf(Term(7), {}) == 7);
}

TEST_CASE("a recorded derivative is 0 where a factor of the chain rule is 0, even if another is infinite") {
  const auto derivativeAt = [](const auto& formula, double at) {
    return valueOf(formula(Dual<Term, 1>::operand<0>(x)).template partial<0>(), std::array{at});
  };
  const auto root = [](auto v) { return sqrt(max(v, 0)); };
  CHECK(derivativeAt(root, -1) == 0);
  CHECK(derivativeAt(root, 4) == 0.25);
  CHECK(derivativeAt([](auto v) { return log(max(v, 0)); }, -1) == 0);
  CHECK(derivativeAt([](auto v) { return 1 / max(v, 0); }, -1) == 0);
  CHECK(derivativeAt([](auto v) { return sqrt(v * v); }, 0) == 0);
  CHECK(derivativeAt([](auto v) { return sqrt(abs(v)); }, 0) == 0);
  CHECK(std::isnan(derivativeAt(root, std::nan(""))));
}

TEST_CASE("a factor that is a constant needs no choice") {
  const auto slope = log(Dual<Term, 1>::operand<0>(x)).partial<0>();
  CHECK(sourceFor(slope) == "const float t0 = 1.0f / x0;\nreturn t0;\n");
}
