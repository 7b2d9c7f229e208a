// Defines ShapeError, thrown by an operation for operands whose shapes do not fit.
#pragma once

#include <stdexcept>
#include <string_view>

#pragma GCC visibility push(default)
namespace tapestry {

/// The message reads `tapestry::OPERATION: PROBLEM, got GOT, expected EXPECTED`.
class ShapeError : public std::invalid_argument {
 public:
  ShapeError(std::string_view operation, std::string_view problem, std::string_view got,
             std::string_view expected);
  /// The error `inner` with another name: that of an operation that is composed of the inner one.
  ShapeError(std::string_view operation, const ShapeError& inner);
};

}  // namespace tapestry
#pragma GCC visibility pop
