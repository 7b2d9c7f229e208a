// Defines the checks of optimizers' parameters.
#pragma once

#include <string_view>

#pragma GCC visibility push(default)
namespace tapestry::detail {

// Each throws std::invalid_argument, `tapestry::OPERATION: NAME is out of range, got VALUE, expected ...`;
// NaN is in no range.

void requireFinite(std::string_view operation, std::string_view name, double value);
void requirePositive(std::string_view operation, std::string_view name, double value);
/// Requires a finite value of at least 0.
void requireFactor(std::string_view operation, std::string_view name, double value);
/// Requires a value of at least 0 and at most 1.
void requireMomentum(std::string_view operation, double value);
/// Requires a value of at least 0 and less than 1.
void requireDecay(std::string_view operation, std::string_view name, double value);

}  // namespace tapestry::detail
#pragma GCC visibility pop
