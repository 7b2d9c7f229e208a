#include "prepare_steps.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "by_thread.hpp"
#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"

namespace tapestry::detail {

namespace {

/// Indices of weights whose deltas, but for the rest, one thread has computed.
using Part = std::vector<std::size_t>;

/// Divides the weights into parts that are each worth a hand-over to another thread, and the rest. Returns
/// the number of parts.
std::size_t divide(const std::vector<Touched>& touched, ByThread<Part>& parts) {
  struct Open {
    const void* thread;
    Part part = {};
    float cost = 0;
  };
  std::vector<Open> all;
  std::size_t count = 0;
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const NodeState& state = *touched[i].state;
    const void* const thread = state.thread.load(std::memory_order_relaxed);  // relaxed: a hint
    auto open = std::ranges::find(all, thread, &Open::thread);
    if (open == all.end()) open = all.insert(open, {.thread = thread});
    open->part.push_back(i);
    if ((open->cost += touched[i].weight->stepCost(state)) < worthAFork) continue;
    parts.add(std::exchange(open->part, {}), thread);
    open->cost = 0;
    ++count;
  }
  Part rest;
  for (const Open& open : all) rest.insert(rest.end(), open.part.begin(), open.part.end());
  if (rest.empty()) return count;
  parts.add(std::move(rest), thisThread());
  return count + 1;
}

/// Prepares the steps in branches. A branch takes a part whose deltas its thread has computed, if one is
/// left.
Do<void> prepareInParts(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale) {
  const auto parts = std::make_shared<ByThread<Part>>();
  const auto prepared = Do<void>::delay([touched = touched, steps = steps, scale, parts] {
    const HelpScope help(touched->front().state->pass().workers());
    for (const std::size_t i : parts->take(thisThread()))
      (*steps)[i] = (*touched)[i].weight->prepare(*(*touched)[i].state, scale);
  });
  return parSequence(std::vector(divide(*touched, *parts), prepared), Location())
      .map([](const std::vector<Unit>&) {});
}

Do<void> prepareInTurn(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale) {
  return Do<void>::delay([touched = touched, steps = steps, scale] {
    for (std::size_t i = 0; i < touched->size(); ++i)
      (*steps)[i] = (*touched)[i].weight->prepare(*(*touched)[i].state, scale);
  });
}

/// What all steps need before they are committed; one waits for a device while others do.
Do<void> awaitedBy(const Steps& steps) {
  std::vector<Do<void>> all;
  for (const auto& step : steps)
    if (step->awaited) all.push_back(*step->awaited);
  if (all.empty()) return Do<void>::now();
  return allOrFirstError(all).map([](const std::vector<Unit>&) {});
}

}  // namespace

Do<void> prepareSteps(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale) {
  const bool hasWorkers = !touched->empty() && touched->front().state->pass().workers();
  return (hasWorkers ? prepareInParts : prepareInTurn)(touched, steps, scale).flatMap([steps] {
    return awaitedBy(*steps);
  });
}

}  // namespace tapestry::detail
