// Defines StepsByDelta, by which a rule takes deltas of tensors as they are, dense or not.
#pragma once

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// If it is specialised for a rule, but not for a rule derived from that, the rule's step adds a multiple of
/// the delta to the weight, and the specialisation has
///
///     static double factor(const Rule& rule, State& state)
template <class Rule>
struct StepsByDelta {};

}  // namespace tapestry::detail
#pragma GCC visibility pop
