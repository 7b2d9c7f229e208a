#include "tapestry/deeplearning/detail/own_weight.hpp"

#include <cstddef>
#include <stdexcept>
#include <variant>

namespace tapestry::detail {

std::size_t elementsOf(const AnyWeightForm& form) {
  return std::visit([](const auto& typed) { return typed.value.size(); }, form);
}

void throwNoForm() {
  throw std::logic_error(
      "tapestry::Weights: a weight has no form, got data of a user-defined type, expected a TensorForm of "
      "the "
      "type");
}

}  // namespace tapestry::detail
