// Defines the checks of optimizers' parameters, and their conversion to the type of a weight's elements.
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>
#include <string_view>

#pragma GCC visibility push(default)
namespace tapestry::detail {

// Each throws std::invalid_argument, `tapestry::OPERATION: NAME is out of range, got VALUE, expected ...`;
// NaN is in no range.

/// Requires a finite value that is at most `most` in magnitude, the greatest number of its type.
void requireFinite(std::string_view operation, std::string_view name, double value,
                   double most = std::numeric_limits<double>::max());
void requirePositive(std::string_view operation, std::string_view name, double value);
/// Requires a finite value of at least 0.
void requireFactor(std::string_view operation, std::string_view name, double value);
/// Requires a value of at least 0 and at most 1.
void requireMomentum(std::string_view operation, double value);
/// Requires a value of at least 0 and less than 1.
void requireDecay(std::string_view operation, std::string_view name, double value);
/// Requires low <= high.
void requireBounds(std::string_view operation, double low, double high);

/// Returns a finite value as a T. Throws as above if it is not finite as a T.
template <std::floating_point T>
T finiteAs(std::string_view operation, std::string_view name, double value) {
  requireFinite(operation, name, value, std::numeric_limits<T>::max());
  return static_cast<T>(value);
}

/// Returns a positive epsilon as a T that is at least the smallest normal number, so that 0 / (0 + epsilon)
/// is 0, and not NaN.
template <std::floating_point T>
T epsilonAs(double epsilon) {
  return static_cast<T>(std::max(epsilon, static_cast<double>(std::numeric_limits<T>::min())));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
