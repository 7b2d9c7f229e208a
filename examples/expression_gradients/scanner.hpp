// Defines Scanner, which goes through the text of an expression from left to right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "expression_gradients/expression.hpp"

namespace tapestry::examples {

/// The text must outlive it.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  /// The next character that is no space, or 0 at the end.
  char next();
  /// Whether that is a letter or _.
  bool nextIsLetter();
  /// Whether it is a digit, or the point before one.
  bool nextIsNumber();

  /// Takes it; there must be one.
  char take() { return text_[position_++]; }
  std::string takeWord();
  /// Throws `Expression::error` if no double can hold the number.
  double takeNumber();

  [[nodiscard]] std::size_t position() const { return position_; }

  /// Throws `Expression::error` at what comes next.
  [[noreturn]] void fail(const std::string& problem, const std::string& expected);

 private:
  /// The letters and digits from here, or else one character, as UTF-8 has it.
  [[nodiscard]] std::string_view word() const;

  const std::string& text_;
  std::size_t position_ = 0;
};

}  // namespace tapestry::examples
