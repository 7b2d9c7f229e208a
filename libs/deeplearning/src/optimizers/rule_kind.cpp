#include "tapestry/deeplearning/optimizers/detail/rule_kind.hpp"

#include <charconv>

#include <boost/core/demangle.hpp>

namespace tapestry::detail {

std::string kindText(const std::type_info& type, std::initializer_list<double> weights) {
  std::string text = boost::core::demangle(type.name());
  for (const double weight : weights) {
    char digits[32];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), weight).ptr;
    text.append(" ").append(digits, end);
  }
  return text;
}

}  // namespace tapestry::detail
