#include <atomic>
#include <cstddef>

#include "by_thread.hpp"
#include "tapestry/continuation/extend/gather.hpp"
#include "tapestry/continuation/unit_continuation.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"

namespace tapestry::detail {

namespace {

/// Flushes the nodes of a list in branches. A branch flushes a node that its thread has computed, if one is
/// left.
class FlushMany final : public Gather {
 public:
  explicit FlushMany(ReadyList ready) : pass_(ready.head()->pass()) {
    while (!ready.empty()) {
      NodeState& state = ready.pop();
      states_.add(&state, state.thread.load(std::memory_order_relaxed));  // relaxed: a hint
    }
  }
  std::size_t size() const noexcept { return states_.size(); }

 private:
  void start(std::size_t, Run& run) noexcept override {
    constexpr auto done = [](Run& r) { r.put(Unit{}); };
    constexpr auto flush = [](NodeState& state, Run& r) {
      ReadyList ready;
      ready.push(state);
      flushAll(r, ready);
    };
    run.push<done>();
    run.push<flush>(states_.take(thisThread()));
  }
  bool collect(std::size_t, Run& run) noexcept override {
    if (run.stopping())
      pass_.fail(run.takeStop().toException());
    else
      run.take<Unit>();
    return false;
  }

  Pass& pass_;
  ByThread<NodeState*> states_;
};

/// The rest of a list while the node of `state`, which was in the list, is flushed by programs.
struct Remainder final : Node {
  Remainder(ReadyList rest, NodeState& flushed) noexcept : ready(rest), state(flushed) {}
  ReadyList ready;
  NodeState& state;
};

void tellBackward(const NodeState& state) noexcept {
  if (state.hasDelta() && !state.pass().hasFailed())
    state.pass().watch()->tell(PassObserver::Event::backward, state);
}

void flushTelling(Run& run, NodeState& state, ReadyList& ready) {
  if (state.node->asTrainable()) return state.node->flush(run, state, ready);
  tellBackward(state);
  state.node->deriveOrFail(state);
  // told before the operands are left, since their last user may clear them on another thread
  state.pass().watch()->tell(PassObserver::Event::sent, state);
  state.clear();
  state.pass().watch()->tell(PassObserver::Event::release, state);
  state.node->leaveOperands(state, ready);
}

int countWorthAFork(const NodeState* begin, const NodeState* end) noexcept {
  int count = 0;
  for (const NodeState* state = begin; state != end; state = state->nextReady)
    count += state->node->cost() >= worthAFork;
  return count;
}

template <bool watched>
void flushList(Run& run, ReadyList ready) {
  const bool hasWorkers = run.environment()->workers();
  int worth = hasWorkers ? countWorthAFork(ready.head(), nullptr) : 0;
  while (!ready.empty()) {
    if (worth > 1) {
      auto branches = makeRef<FlushMany>(ready);
      FlushMany& all = *branches;
      run.keep(std::move(branches));
      return all.begin(run, all.size(), {});
    }
    NodeState& state = ready.pop();
    NodeState* const others = ready.head();
    worth -= hasWorkers && state.node->cost() >= worthAFork;
    if (!state.node->flushesInSteps()) {
      if constexpr (watched)
        flushTelling(run, state, ready);
      else
        state.node->flush(run, state, ready);
      if (hasWorkers) worth += countWorthAFork(ready.head(), others);
      continue;
    }
    constexpr auto goOn = [](const Remainder& rest, Run& r) {
      if (const Watch* told = rest.state.pass().watch()) told->tell(PassObserver::Event::release, rest.state);
      flushAll(r, rest.ready);
    };
    run.push<goOn>(makeRef<Remainder>(ready, state));
    ReadyList none;
    if constexpr (watched) tellBackward(state);
    state.node->flush(run, state, none);
    return;
  }
}

}  // namespace

void flushAll(Run& run, ReadyList ready) {
  if (ready.empty()) return;
  if (ready.head()->pass().watch())
    flushList<true>(run, ready);
  else
    flushList<false>(run, ready);
}

}  // namespace tapestry::detail
