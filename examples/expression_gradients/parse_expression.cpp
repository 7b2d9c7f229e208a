#include "expression_gradients/expression.hpp"

#include <cctype>
#include <utility>

#include "expression_gradients/formulas.hpp"
#include "expression_gradients/scanner.hpp"

namespace tapestry::examples {
namespace {

using Operand = Expression::Operand;
using Kind = Expression::Kind;

/// By recursive descent, a function for each level of precedence.
class Parser {
 public:
  explicit Parser(const std::string& text) : expression_{text}, scanner_(text) {}

  Expression parse() {
    sum();
    if (scanner_.next() != '\0') scanner_.fail("text after the expression", "an operator or the end");
    return std::move(expression_);
  }

 private:
  // Every recursion comes through `signedPower`, so that no text can exhaust the stack.
  static constexpr std::size_t deepest = 500;

  Operand sum() { return joined('+', '-', &Parser::product); }
  Operand product() { return joined('*', '/', &Parser::signedPower); }

  /// Operands of the next level between either of two symbols, from left to right.
  Operand joined(char one, char other, Operand (Parser::*operand)()) {
    Operand left = (this->*operand)();
    while (scanner_.next() == one || scanner_.next() == other) {
      const char symbol = scanner_.take();
      left = apply(symbol, {left, (this->*operand)()});
    }
    return left;
  }

  Operand signedPower() {
    if (++depth_ > deepest) scanner_.fail("nested too deeply", "at most 500 levels");
    const Operand result = scanner_.next() == '-' ? negated() : power();
    --depth_;
    return result;
  }

  Operand negated() {
    const std::size_t begin = scanner_.position();
    scanner_.take();
    return apply('-', {signedPower()}, begin);
  }

  Operand power() {
    const Operand base = primary();
    if (scanner_.next() != '^') return base;
    scanner_.take();
    return apply('^', {base, signedPower()});
  }

  Operand primary() {
    if (scanner_.nextIsNumber()) return number();
    if (scanner_.nextIsLetter()) return name();
    if (scanner_.next() == '(') return parenthesised();
    scanner_.fail("something is missing", "a number, a name, - or (");
  }

  Operand parenthesised() {
    const std::size_t begin = scanner_.position();
    scanner_.take();
    const Operand inner = sum();
    close(begin);
    return {inner.node, {begin, scanner_.position()}};
  }

  Operand number() {
    const std::size_t begin = scanner_.position();
    const double value = scanner_.takeNumber();
    const Place place{begin, scanner_.position()};
    return add({Kind::number, expression_.text.substr(begin, place.end - begin), place, {}, value});
  }

  Operand name() {
    const std::size_t begin = scanner_.position();
    const std::string found = scanner_.takeWord();
    const Place place{begin, scanner_.position()};
    if (const auto formula = formulas().find(found); formula != formulas().end())
      return function(found, place, formula->second);
    if (scanner_.next() == '(')
      throw expression_.error(place, "there is no function \"" + found + "\", expected " + functions());
    for (std::size_t i = 0; i < expression_.nodes.size(); ++i)
      if (expression_.nodes[i].kind == Kind::variable && expression_.nodes[i].name == found)
        return {i, place};
    return add({Kind::variable, found, place});
  }

  Operand function(const std::string& found, Place place, const Formula& formula) {
    if (scanner_.next() != '(') scanner_.fail("\"" + found + "\" is a function", "\"(\" after it");
    const std::size_t open = scanner_.position();
    scanner_.take();
    std::vector<Operand> operands{sum()};
    while (scanner_.next() == ',') {
      scanner_.take();
      operands.push_back(sum());
    }
    close(open);
    place.end = scanner_.position();
    const std::size_t count = operands.size(), most = formula.most();
    if (count > most) place = {operands[most].place.begin, operands.back().place.end};
    if (count > most || count < formula.least())
      throw expression_.error(place, formula.mismatch(found, count));
    return add({Kind::operation, found, place, std::move(operands)});
  }

  void close(std::size_t open) {
    if (scanner_.next() != ')')
      scanner_.fail("a parenthesis is missing",
                    "\")\" for the \"(\" in column " + std::to_string(expression_.column(open)));
    scanner_.take();
  }

  Operand apply(char symbol, std::vector<Operand> operands) {
    const std::size_t begin = operands.front().place.begin;
    return apply(symbol, std::move(operands), begin);
  }
  Operand apply(char symbol, std::vector<Operand> operands, std::size_t begin) {
    const Place place{begin, operands.back().place.end};
    return add({Kind::operation, std::string(1, symbol), place, std::move(operands)});
  }

  Operand add(Expression::Node node) {
    expression_.nodes.push_back(std::move(node));
    return {expression_.nodes.size() - 1, expression_.nodes.back().place};
  }

  static std::string functions() {
    std::string list;
    for (const auto& [key, formula] : formulas())
      if (std::isalpha(static_cast<unsigned char>(key[0]))) list += (list.empty() ? "" : ", ") + key;
    return "one of " + list;
  }

  Expression expression_;
  Scanner scanner_;
  std::size_t depth_ = 0;
};

}  // namespace

Expression Expression::parse(const std::string& text) { return Parser(text).parse(); }

}  // namespace tapestry::examples
