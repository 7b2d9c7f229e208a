// Defines Expression, a formula that a user has typed, as a graph.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/input_error.hpp"

namespace tapestry::examples {

/// The characters of the text that a part of it takes, parentheses included.
struct Place {
  std::size_t begin;
  std::size_t end;
};

struct Expression {
  enum class Kind { number, variable, operation };

  struct Operand {
    std::size_t node;
    Place place;
  };

  /// An operation is one of `formulas`.
  struct Node {
    Kind kind;
    std::string name;
    Place place;
    std::vector<Operand> operands = {};
    double number = 0;
  };

  std::string text;
  /// Each node comes after its operands, the result last. A variable is one node, at its first place.
  std::vector<Node> nodes = {};

  /// Reads + - * / ^, unary minus, parentheses, numbers, names, and the functions of `formulas`. ^ binds more
  /// tightly than unary minus, and to the right. Throws `error` for a text that is no expression.
  [[nodiscard]] static Expression parse(const std::string& text);

  /// The column of the byte at this position, counted from 1, as a terminal shows UTF-8.
  [[nodiscard]] std::size_t column(std::size_t position) const;

  /// The problem at the place, with a caret under it.
  [[nodiscard]] InputError error(Place place, const std::string& problem) const;
};

}  // namespace tapestry::examples
