// Defines adam, gradient descent scaled by running moments of the gradient.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/optimizers/rate.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2015), algorithm 1.
struct Adam {
  Rate learningRate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;

  template <class V>
  struct State {
    std::optional<V> first;
    std::optional<V> second;
    std::uint64_t steps = 0;

    static void parts(auto& state, const auto& f) {
      f("first", state.first);
      f("second", state.second);
      f("steps", state.steps);
    }
  };

  template <detail::Numbers V>
  V step(const V& weight, V gradient, State<V>& state) const {
    return stepWithDecay("adam", weight, gradient, state, 0);
  }

  /// The step of AdamW, which has the same state as Adam.
  template <detail::Numbers V>
  V stepWithDecay(std::string_view rule, const V& weight, const V& gradient, State<V>& state,
                  double weightDecay) const {
    using T = detail::ElementOf<V>;
    // a file may have only one of them
    if (!state.first) state.first = detail::filledLike(weight, T{0});
    if (!state.second) state.second = detail::filledLike(weight, T{0});
    const kernels::AdamParameters<T> parameters{learningRate.next<T>(rule, state.steps), beta1, beta2,
                                                detail::epsilonAs<T>(epsilon),
                                                detail::finiteAs<T>(rule, "weightDecay", weightDecay)};
    auto [stepped, first, second] = kernels::adamStep(weight, gradient, *std::move(state.first),
                                                      *std::move(state.second), parameters, state.steps);
    state.first = std::move(first);
    state.second = std::move(second);
    return stepped;
  }
};

namespace detail {

void requireMoments(std::string_view rule, const auto& parameters) {
  requireDecay(rule, "beta1", parameters.beta1);
  requireDecay(rule, "beta2", parameters.beta2);
  requirePositive(rule, "epsilon", parameters.epsilon);
}

}  // namespace detail

/// adam({.learningRate = 0.01}). Keeps two values of the weight's size. Throws std::invalid_argument unless
/// the betas are at least 0 and less than 1, and epsilon is more than 0.
inline Adam adam(Adam parameters = {}) {
  detail::requireMoments("adam", parameters);
  return parameters;
}

}  // namespace tapestry
#pragma GCC visibility pop
