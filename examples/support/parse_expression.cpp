#include "support/expression.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/formulas.hpp"

namespace tapestry::examples {
namespace {

using Operand = Expression::Operand;
using Kind = Expression::Kind;

bool isDigit(char c) { return '0' <= c && c <= '9'; }
bool isLetter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; }
bool isSpace(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

/// By recursive descent, a function for each level of precedence.
class Parser {
 public:
  explicit Parser(const std::string& text) : expression_{text} {}

  Expression parse() {
    sum();
    if (next() != '\0') fail("text after the expression", "an operator or the end");
    return std::move(expression_);
  }

 private:
  // Every recursion comes through `signedPower`, so that no text can exhaust the stack.
  static constexpr std::size_t deepest = 500;

  Operand sum() {
    Operand left = product();
    while (next() == '+' || next() == '-') {
      const char symbol = take();
      left = apply(symbol, {left, product()});
    }
    return left;
  }

  Operand product() {
    Operand left = signedPower();
    while (next() == '*' || next() == '/') {
      const char symbol = take();
      left = apply(symbol, {left, signedPower()});
    }
    return left;
  }

  Operand signedPower() {
    if (++depth_ > deepest) fail("nested too deeply", "at most 500 levels");
    const Operand result = next() == '-' ? negated() : power();
    --depth_;
    return result;
  }

  Operand negated() {
    const std::size_t begin = position_;
    take();
    return apply('-', {signedPower()}, begin);
  }

  Operand power() {
    const Operand base = primary();
    if (next() != '^') return base;
    take();
    return apply('^', {base, signedPower()});
  }

  Operand primary() {
    const char first = next();
    if (isDigit(first) || first == '.') return number();
    if (isLetter(first)) return name();
    if (first == '(') return parenthesised();
    fail("something is missing", "a number, a name, - or (");
  }

  Operand parenthesised() {
    const std::size_t begin = position_;
    take();
    const Operand inner = sum();
    close(begin);
    return {inner.node, {begin, position_}};
  }

  Operand number() {
    const char* const begin = text().data() + position_;
    double value = 0;
    const auto [end, problem] = std::from_chars(begin, text().data() + text().size(), value);
    if (problem != std::errc()) fail("no number that a double can hold", "one such as 2 or 0.5 or 1e-3");
    const Place place{position_, position_ + static_cast<std::size_t>(end - begin)};
    position_ = place.end;
    return add({Kind::number, std::string(begin, end), place, {}, value});
  }

  Operand name() {
    const Place place{position_, position_ + word().size()};
    const std::string found(word());
    if (Formulas::unary().contains(found)) return function(found, place, 1);
    if (Formulas::binary().contains(found)) return function(found, place, 2);
    position_ = place.end;
    if (next() == '(')
      throw expression_.error(place, "there is no function \"" + found + "\", expected " + functions());
    for (std::size_t i = 0; i < expression_.nodes.size(); ++i)
      if (expression_.nodes[i].kind == Kind::variable && expression_.nodes[i].name == found)
        return {i, place};
    return add({Kind::variable, found, place});
  }

  Operand function(const std::string& found, Place place, std::size_t arity) {
    position_ = place.end;
    if (next() != '(') fail("\"" + found + "\" is a function", "\"(\" after it");
    const std::size_t open = position_;
    take();
    std::vector<Operand> operands{sum()};
    for (; operands.size() < arity; operands.push_back(sum())) {
      if (next() != ',') fail("\"" + found + "\" takes two numbers", "a comma and the second");
      take();
    }
    close(open);
    return add({Kind::operation, found, {place.begin, position_}, std::move(operands)});
  }

  void close(std::size_t open) {
    if (next() != ')')
      fail("a parenthesis is missing",
           "\")\" for the \"(\" in column " + std::to_string(expression_.column(open)));
    take();
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

  /// The next character that is no space, or 0 at the end.
  char next() {
    while (position_ < text().size() && isSpace(text()[position_])) ++position_;
    return position_ < text().size() ? text()[position_] : '\0';
  }
  char take() { return text()[position_++]; }

  /// The letters and digits from here, or else one character.
  std::string_view word() const {
    const auto rest = std::string_view(text()).substr(position_);
    const auto end = std::ranges::find_if_not(rest, [](char c) { return isLetter(c) || isDigit(c); });
    return rest.substr(0, std::max<std::size_t>(1, static_cast<std::size_t>(end - rest.begin())));
  }

  const std::string& text() const { return expression_.text; }

  static std::string functions() {
    std::string list;
    for (const auto& [key, formula] : Formulas::unary()) list += isLetter(key[0]) ? key + ", " : "";
    return list + "max, min or pow";
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& expected) {
    const bool atEnd = next() == '\0';
    const std::string got = atEnd ? "the end" : '"' + std::string(word()) + '"';
    const std::size_t end = position_ + (atEnd ? 1 : word().size());
    throw expression_.error({position_, end}, problem + ", got " + got + ", expected " + expected);
  }

  Expression expression_;
  std::size_t position_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Expression Expression::parse(const std::string& text) { return Parser(text).parse(); }

}  // namespace tapestry::examples
