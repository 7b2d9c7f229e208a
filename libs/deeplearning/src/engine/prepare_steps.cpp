#include "prepare_steps.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "by_thread.hpp"
#include "tapestry/deeplearning/detail/pass/device_checks.hpp"
#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/raii/do_tuple2.hpp"

namespace tapestry::detail {

namespace {

/// Indices of weights.
using WeightIndices = std::vector<std::size_t>;

/// Parts that are each worth a hand-over to another thread. One thread has sent the last deltas of all
/// weights of a part, except in the parts of weights that are left over.
class Division {
 public:
  explicit Division(const std::vector<Touched>& touched) {
    std::vector<Open> all;
    for (std::size_t i = 0; i < touched.size(); ++i) {
      const NodeState& state = *touched[i].state;
      const void* const thread = state.thread.load(std::memory_order_relaxed);  // relaxed: a hint
      auto open = std::ranges::find(all, thread, &Open::thread);
      if (open == all.end()) open = all.insert(open, {.thread = thread});
      add(*open, i, touched[i].weight->stepCost(state));
    }
    Open rest = {.thread = thisThread()};
    for (const Open& open : all)
      for (const std::size_t i : open.part) add(rest, i, touched[i].weight->stepCost(*touched[i].state));
    if (!rest.part.empty()) close(rest);
  }

  std::size_t size() const noexcept { return parts_.size(); }
  const WeightIndices& take() noexcept { return parts_.take(thisThread()); }

 private:
  struct Open {
    const void* thread;
    WeightIndices part = {};
    float cost = 0;
  };

  void add(Open& open, std::size_t weight, float cost) {
    open.part.push_back(weight);
    if ((open.cost += cost) >= worthAFork) close(open);
  }
  void close(Open& open) {
    parts_.add(std::exchange(open.part, {}), open.thread);
    open.cost = 0;
  }

  ByThread<WeightIndices> parts_;
};

/// Prepares the steps in branches. A branch takes a part whose deltas its thread has sent, if one is left.
Do<void> prepareInParts(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale) {
  return Do<void>::suspend([touched = touched, steps = steps, scale] {
    const auto division = std::make_shared<Division>(*touched);
    const auto prepared = Do<void>::delay([touched = touched, steps = steps, scale, division] {
      const HelpScope help(touched->front().state->pass().workers());
      for (const std::size_t i : division->take())
        (*steps)[i] = (*touched)[i].weight->prepare(*(*touched)[i].state, scale);
    });
    return parSequence(std::vector(division->size(), prepared), Location()).map([](const std::vector<Unit>&) {
    });
  });
}

Do<void> prepareInTurn(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale) {
  return Do<void>::delay([touched = touched, steps = steps, scale] {
    const HelpScope help(nullptr);
    for (std::size_t i = 0; i < touched->size(); ++i)
      (*steps)[i] = (*touched)[i].weight->prepare(*(*touched)[i].state, scale);
  });
}

}  // namespace

Do<void> prepareSteps(const SharedTouched& touched, const std::shared_ptr<Steps>& steps, double scale) {
  const bool hasWorkers = !touched->empty() && touched->front().state->pass().workers();
  return (hasWorkers ? prepareInParts : prepareInTurn)(touched, steps, scale);
}

std::unique_ptr<Update> afterwards(Do<void> program, std::unique_ptr<Update> update) {
  if (update->awaited) program = program.flatMap([next = *update->awaited] { return next; });
  return updateBy([update = std::move(update)] { update->commit(); }, std::move(program));
}

}  // namespace tapestry::detail
