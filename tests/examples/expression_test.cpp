#include "expression_gradients/expression.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tapestry::examples {
namespace {

/// With all parentheses.
std::string written(const Expression& expression, std::size_t index) {
  const auto& node = expression.nodes[index];
  if (node.kind != Expression::Kind::operation) return node.name;
  std::string text = "(" + node.name;
  for (const auto& operand : node.operands) text += " " + written(expression, operand.node);
  return text + ")";
}

std::string parsed(const std::string& text) {
  const auto expression = Expression::parse(text);
  return written(expression, expression.nodes.size() - 1);
}

/// The message and the excerpt with which an expression is refused.
std::pair<std::string, std::string> refusalOf(const std::string& text) {
  try {
    const auto expression = Expression::parse(text);
    return {"none", ""};
  } catch (const InputError& error) {
    return {error.what(), error.excerpt()};
  }
}

}  // namespace

TEST_CASE("Operators bind as in mathematics") {
  CHECK(parsed("x + 2 * y - 1") == "(- (+ x (* 2 y)) 1)");
  CHECK(parsed("8 / 4 / 2") == "(/ (/ 8 4) 2)");
  CHECK(parsed("2 ^ 3 ^ 2") == "(^ 2 (^ 3 2))");
  CHECK(parsed("-x ^ -2 * y") == "(* (- (^ x (- 2))) y)");
  CHECK(parsed("--x") == "(- (- x))");
  CHECK(parsed("(x + 1) * x") == "(* (+ x 1) x)");
}

TEST_CASE("Functions, names and numbers are read as they are written") {
  CHECK(parsed("max(exp(x_1), 2.5e-1)\t") == "(max (exp x_1) 2.5e-1)");
  CHECK(parsed("expx+.5") == "(+ expx .5)");
}

TEST_CASE("A variable is one node, and the result is the last") {
  const auto expression = Expression::parse("x * (x + x)");
  CHECK(expression.nodes.size() == 3);
  CHECK(expression.nodes.back().name == "*");
}

TEST_CASE("A caret marks the column where text is missing or superfluous") {
  CHECK(refusalOf("").first ==
        "column 1: something is missing, got the end, expected a number, a name, - or (");
  CHECK(refusalOf("x + * 2").second == "  x + * 2\n      ^\n");
  CHECK(refusalOf("2 x").first ==
        "column 3: text after the expression, got \"x\", expected an operator or the end");
  CHECK(refusalOf("x)").second == "  x)\n   ^\n");
  CHECK(refusalOf("1 + sin(x").first ==
        "column 10: a parenthesis is missing, got the end, expected \")\" for the \"(\" in column 8");
  CHECK(refusalOf("sin + 1").first == "column 5: \"sin\" is a function, got \"+\", expected \"(\" after it");
  CHECK(refusalOf("1e999").second == "  1e999\n  ^~~~~\n");
}

TEST_CASE("A wrong number of arguments is reported, under the call or under the superfluous arguments") {
  CHECK(refusalOf("1 + max(x)").first == "column 5: \"max\" with 1 argument, expected max(x, y)");
  CHECK(refusalOf("1 + max(x)").second == "  1 + max(x)\n      ^~~~~~\n");
  CHECK(refusalOf("sin(x, y + 1, 2)").first == "column 8: \"sin\" with 3 arguments, expected sin(x)");
  CHECK(refusalOf("sin(x, y + 1, 2)").second == "  sin(x, y + 1, 2)\n         ^~~~~~~~\n");
  CHECK(refusalOf("elu(x, 1, 2)").first ==
        "column 11: \"elu\" with 3 arguments, expected elu(x, alpha), of which the last may be missing");
  CHECK(refusalOf("leakyRelu(x)")
            .first.starts_with("column 1: \"leakyRelu\" with 1 argument, expected leakyRelu(x, slope)"));
  CHECK(refusalOf("max()").first.starts_with("column 5: something is missing, got \")\""));
  CHECK(parsed("clamp(x, -1, elu(y))") == "(clamp x (- 1) (elu y))");
}

TEST_CASE("An unknown function is an error that lists the known functions") {
  const auto [message, excerpt] = refusalOf("1 + sine(x)");
  CHECK(message.starts_with(
      "column 5: there is no function \"sine\", expected one of abs, binaryCrossEntropyWithLogits, "));
  CHECK(message.ends_with(", sqrt, tanh, where"));
  CHECK(excerpt == "  1 + sine(x)\n      ^~~~\n");
}

TEST_CASE("The caret stands right after letters of several bytes, and controls cannot move it") {
  CHECK(refusalOf("x +\n\u00e9").second == "  x + \u00e9\n      ^\n");
  CHECK(refusalOf("\u00e9").first ==
        "column 1: something is missing, got \"\u00e9\", expected a number, a name, - or (");
  CHECK(refusalOf("x \u00d7 \u00e9").second == "  x \u00d7 \u00e9\n    ^\n");
}

TEST_CASE("An expression that is nested too deeply is refused, and a long one is not") {
  CHECK(refusalOf(std::string(100'000, '(')).first.starts_with("column 501: nested too deeply"));
  CHECK(refusalOf(std::string(100'000, '-')).first.starts_with("column 501: nested too deeply"));
  std::string sum = "x";
  for (int i = 0; i < 50'000; ++i) sum += "+x";
  CHECK(Expression::parse(sum).nodes.size() == 50'001);
}

}  // namespace tapestry::examples
