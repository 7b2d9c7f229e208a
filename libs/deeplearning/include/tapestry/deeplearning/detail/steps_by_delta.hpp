// Defines StepsByDelta, by which a rule takes deltas of tensors as they come, dense or not.
#pragma once

namespace tapestry::detail {

/// Where it is specialised for a rule, and for no rule that derives from it, the rule's step adds a multiple
/// of the delta to the weight, and it has
///
///     static double factor(const Rule& rule, State& state)
template <class Rule>
struct StepsByDelta {};

}  // namespace tapestry::detail
