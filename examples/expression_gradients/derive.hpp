// Defines derive, which evaluates and differentiates an expression by the library.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tapestry/deeplearning.hpp>
#include <vector>

#include "expression_gradients/expression.hpp"

namespace tapestry::examples {

/// The value of a node of an expression, and the derivative of the result with respect to it, unless the node
/// depends on no variable.
struct Derived {
  double value = 0;
  std::optional<double> gradient = std::nullopt;
};

/// All nodes of the expression. Throws `Expression::error` if a variable has no value; fails with it where a
/// value or a derivative is not finite, as after a division by zero.
[[nodiscard]] Do<std::vector<Derived>> derive(const Expression& expression,
                                              const std::map<std::string, double>& variables);

}  // namespace tapestry::examples
