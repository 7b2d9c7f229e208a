// Defines StepCount and Moment, the states of rules that count their steps, without and with a value.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tapestry/deeplearning/detail/operation_name.hpp"
#include "tapestry/deeplearning/detail/value.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct StepCount {
  std::uint64_t steps = 0;

  static void parts(auto& state, const auto& f) { f("steps", state.steps); }
};

/// One value of the weight's size, which files list under the name.
template <class V, OperationName name>
struct Moment {
  std::optional<V> value;
  std::uint64_t steps = 0;

  static void parts(auto& state, const auto& f) {
    f(name.view(), state.value);
    f("steps", state.steps);
  }

  /// Hands over the value, which is 0 before the first step.
  V take(const V& weight) {
    return value ? *std::exchange(value, std::nullopt) : filledLike(weight, ElementOf<V>(0));
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
