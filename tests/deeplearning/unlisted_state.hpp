// Defines Unlisted, a rule whose state has numbers that it does not list, and fillStack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

namespace tapestry::test {

/// Adds the sum of the numbers of its state that are no part of it, which is 0 in the initial state.
struct Unlisted {
  template <class V>
  struct State {
    std::uint64_t steps;
    std::array<float, 64> numbers;
    static void parts(auto& state, const auto& f) { f("steps", state.steps); }
  };
  template <class V>
  V step(const V& weight, const V&, State<V>& state) const {
    const float sum = std::accumulate(state.numbers.begin(), state.numbers.end(), 0.0F);
    return kernels::add(weight, static_cast<detail::ElementOf<V>>(sum));
  }
};

/// Leaves bytes that are not 0 where the next calls of functions have their variables.
[[gnu::noinline]] inline void fillStack() {
  std::array<volatile char, 1 << 14> bytes;
  for (volatile char& byte : bytes) byte = 0x3f;
}

}  // namespace tapestry::test
