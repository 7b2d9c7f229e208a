#include <tapestry/deeplearning/detail/parameters.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include <boost/core/demangle.hpp>

#include "tapestry/deeplearning/optimizers/detail/rule_kind.hpp"

namespace tapestry::detail {

namespace {

std::string text(double value) {
  if (std::isnan(value)) return "nan";  // whatever its sign
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

void require(bool holds, std::string_view operation, std::string_view name, double value,
             std::string_view expected) {
  if (holds) return;
  std::string message = "tapestry::";
  message.append(operation).append(": ").append(name).append(" is out of range, got ").append(text(value));
  message.append(", expected ").append(expected);
  throw std::invalid_argument(message);
}

}  // namespace

void requireFinite(std::string_view operation, std::string_view name, double value, double most) {
  require(std::abs(value) <= most, operation, name, value,
          std::isfinite(value) ? "a finite float" : "a finite number");
}

void requirePositive(std::string_view operation, std::string_view name, double value) {
  require(value > 0, operation, name, value, "more than 0");
}

void requireFactor(std::string_view operation, std::string_view name, double value) {
  require(value >= 0 && std::isfinite(value), operation, name, value, "a finite number of at least 0");
}

void requireMomentum(std::string_view operation, double value) {
  require(value >= 0 && value <= 1, operation, "the momentum", value, "at least 0 and at most 1");
}

void requireDecay(std::string_view operation, std::string_view name, double value) {
  require(value >= 0 && value < 1, operation, name, value, "at least 0 and less than 1");
}

void requireBounds(std::string_view operation, double low, double high) {
  if (low <= high) return;
  throw std::invalid_argument("tapestry::" + std::string(operation) +
                              ": the bounds are in the wrong order, got " + text(low) + " and " + text(high) +
                              ", expected low <= high");
}

std::string kindText(const std::type_info& type, std::initializer_list<double> weights) {
  std::string kind = boost::core::demangle(type.name());
  for (const double weight : weights) kind += " " + text(weight);
  return kind;
}

}  // namespace tapestry::detail
