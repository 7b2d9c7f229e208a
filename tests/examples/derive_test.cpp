#include "expression_gradients/derive.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>

#include "expression_gradients/formulas.hpp"

namespace tapestry::examples {
namespace {

std::vector<Derived> derived(const std::string& text, const std::map<std::string, double>& variables = {}) {
  return derive(Expression::parse(text), variables).blockingAwait();
}

/// With respect to the only variable; 0 where no delta reaches it.
double gradientAt(const std::string& text, double x) {
  const auto nodes = Expression::parse(text).nodes;
  const auto variable = std::ranges::find(nodes, Expression::Kind::variable, &Expression::Node::kind);
  return derived(text, {{"x", x}})[static_cast<std::size_t>(variable - nodes.begin())].gradient.value_or(0);
}

double valueAt(const std::string& text, double x) { return derived(text, {{"x", x}}).back().value; }

std::string refusal(const std::string& text, const std::map<std::string, double>& variables = {}) {
  try {
    static_cast<void>(derived(text, variables));
    return "none";
  } catch (const InputError& error) {
    return error.what() + std::string("\n") + error.excerpt();
  }
}

}  // namespace

TEST_CASE("Every node has its value, and its gradient where it depends on a variable") {
  const auto nodes = derived("x * (x + 1)", {{"x", 10}});
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[0].value == 10);
  CHECK(nodes[0].gradient == 21);
  CHECK(nodes[1].value == 1);
  CHECK(!nodes[1].gradient);
  CHECK(nodes[2].value == 11);
  CHECK(nodes[2].gradient == 10);
  CHECK(nodes[3].value == 110);
  CHECK(nodes[3].gradient == 1);
}

TEST_CASE("Numbers alone, and a variable alone, are expressions") {
  CHECK(derived("2 ^ 3 ^ 2").back().value == 512);
  CHECK(!derived("2 ^ 3 ^ 2").back().gradient);
  CHECK(derived("x", {{"x", 3}}).back().gradient == 1);
}

TEST_CASE("Every operation that can be named has the derivative of its differences, by each argument") {
  const std::map<std::string, std::string> constants{
      {"leakyRelu", ", 0.1"}, {"clamp", ", -1, 2"}, {"elu", ", 0.5"}, {"huber", ", 0.05"}};
  const auto check = [](const std::string& text) {
    CAPTURE(text);
    constexpr double x = 0.7, step = 1e-6;
    const double slope = (valueAt(text, x + step) - valueAt(text, x - step)) / (2 * step);
    CHECK(gradientAt(text, x) == doctest::Approx(slope).epsilon(1e-7));
  };
  for (const auto& [name, formula] : formulas()) {
    if (!std::isalpha(static_cast<unsigned char>(name[0]))) {
      check("x" + name + "1.5");
      check("1.5" + name + "x");
      continue;
    }
    for (std::size_t argument = 0; argument < formula.layers; ++argument) {
      std::string list;
      for (std::size_t i = 0; i < formula.layers; ++i)
        list += (i == 0 ? "" : ", ") + (i == argument ? "x" : "0." + std::to_string(4 + i));
      if (formula.constants > 0) check(name + "(" + list + constants.at(name) + ")");
      if (formula.least() == formula.layers) check(name + "(" + list + ")");
    }
  }
  check("-x");
}

TEST_CASE("A constant argument of a function has no variable in it, and may be computed") {
  CHECK(valueAt("leakyRelu(-x, 1 / 4)", 8) == -2);
  CHECK(gradientAt("clamp(x, -(1 + 1), 2)", 1) == 1);
  CHECK(valueAt("elu(x - 1) + huber(x, 0)", 1) == 0.5);
  CHECK(refusal("leakyRelu(x, 2 * x)", {{"x", 1}}) ==
        "column 14: this argument is a constant, expected no variable in it\n"
        "  leakyRelu(x, 2 * x)\n               ^~~~~\n");
  CHECK(refusal("1 + clamp(x, 2, 1)", {{"x", 1}}).find("\n      ^~~~~~~~~~~~~~\n") != std::string::npos);
}

TEST_CASE("A variable without a value is reported at its first place") {
  CHECK(refusal("x + y * y", {{"x", 1}}) ==
        "column 5: this variable has no value, expected y=NUMBER after the expression\n"
        "  x + y * y\n      ^\n");
}

TEST_CASE("A division by zero is reported at the place of the divisor, parentheses included") {
  const std::string text = "y + 1 / (x - x) + 1 / y";
  CHECK(refusal(text, {{"x", 1}, {"y", 1}}) ==
        "column 9: division by zero\n  " + text + "\n          ^~~~~~~\n");
  CHECK(refusal("y + 1 / y", {{"y", 0}}) == "column 9: division by zero\n  y + 1 / y\n          ^\n");
  CHECK(refusal("0 / 0") == "column 5: division by zero\n  0 / 0\n      ^\n");
}

TEST_CASE("A value or a derivative that is not finite is reported where it arises") {
  CHECK(refusal("1 + log(x - x)", {{"x", 1}}) ==
        "column 5: the value of this is not finite, got -inf\n  1 + log(x - x)\n      ^~~~~~~~~~\n");
  CHECK(refusal("x ^ -1", {{"x", 0}}) ==
        "column 1: the value of this is not finite, got inf\n  x ^ -1\n  ^~~~~~\n");
  CHECK(
      refusal("2 * sqrt(x)", {{"x", 0}}) ==
      "column 10: the derivative with respect to this is not finite, got inf\n  2 * sqrt(x)\n           ^\n");
}

TEST_CASE("A long expression is derived on a small stack") {
  std::string sum = "x";
  for (int i = 1; i < 20'000; ++i) sum += "+x";
  CHECK(derived(sum, {{"x", 1}}).front().gradient == 20'000);
}

}  // namespace tapestry::examples
