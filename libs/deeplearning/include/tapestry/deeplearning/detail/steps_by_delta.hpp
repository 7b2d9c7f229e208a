// Defines StepsByDelta, by which a rule takes deltas of tensors that are not dense.
#pragma once

namespace tapestry::detail {

/// Where it is specialised for a rule, and for no rule that derives from it, it has
///
///     static Tensor<T> step(const Rule& rule, const Tensor<T>& weight, TensorDelta<T> delta, State& state)
template <class Rule>
struct StepsByDelta {};

}  // namespace tapestry::detail
