// Defines the names of the arrays in a model's file.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>

#include <tapestry/deeplearning/weights.hpp>

namespace tapestry {

constexpr std::string_view optimizerPrefix = "optimizer/";

/// The prefix of the names of all parts of the weight's optimizer state.
inline std::string prefixOfState(std::string_view weight) {
  return std::string(optimizerPrefix).append(weight).append("/");
}

/// Calls f(name, weight) for each weight, under its first name, and with its type.
template <class F>
void forEachWeight(const Weights& weights, const F& f) {
  std::unordered_set<const void*> seen;
  for (const auto& named : weights)
    std::visit(
        [&](const auto& weight) {
          if (seen.insert(weight.node().get()).second) f(named.name, weight);
        },
        named.weight);
}

}  // namespace tapestry
