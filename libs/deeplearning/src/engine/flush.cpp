#include <atomic>
#include <cstddef>
#include <exception>
#include <utility>

#include "by_thread.hpp"
#include "tapestry/continuation/extend/gather.hpp"
#include "tapestry/continuation/unit_continuation.hpp"
#include "tapestry/deeplearning/detail/node/graph_node.hpp"
#include "tapestry/deeplearning/detail/pass/finite.hpp"
#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
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

/// Fails the pass with the exception that a derivative has thrown; if a delta is not finite, the error names
/// the operation.
[[gnu::noinline, gnu::cold]] void failBackward(const NodeState& state) noexcept {
  std::exception_ptr error;
  try {
    throw;
  } catch (const DeltaNotFinite& delta) {
    error = std::make_exception_ptr(notFinite(state.node->name(), "the delta of an operand", delta.got));
  } catch (...) {
    error = std::current_exception();
  }
  notePathToLoss(error, state);
  state.pass().fail(std::move(error));
}

void tellBackward(const NodeState& state) noexcept {
  const Watch* const watch = state.pass().watch();
  if (watch && state.hasDelta() && !state.pass().hasFailed()) [[unlikely]]
    watch->tell(PassObserver::Event::backward, state);
}

int countWorthAFork(const NodeState* begin, const NodeState* end) noexcept {
  int count = 0;
  for (const NodeState* state = begin; state != end; state = state->nextReady)
    count += state->node->cost() >= worthAFork;
  return count;
}

}  // namespace

void GraphNode::flush(Run&, NodeState& state, ReadyList& ready) {
  Pass& pass = state.pass();
  tellBackward(state);
  if (!pass.hasFailed()) try {
      const HelpScope help(pass.workers());
      derive(state);
    } catch (...) {
      failBackward(state);
    }
  const Watch* const watch = pass.watch();
  // told before the operands are left, since their last user may clear them on another thread
  if (watch) [[unlikely]]
    watch->tell(PassObserver::Event::sent, state);
  state.clear();
  if (watch) [[unlikely]]
    watch->tell(PassObserver::Event::release, state);
  for (NodeState* operand : operandStates(state)) {
    const bool isWeight = operand->uncounted && operand->wantsDelta;
    if (isWeight) operand->thread.store(thisThread(), std::memory_order_relaxed);  // relaxed: a hint
    leaveNode(*operand, ready);
  }
}

void flushAll(Run& run, ReadyList ready) {
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
    tellBackward(state);
    state.node->flush(run, state, none);
    return;
  }
}

}  // namespace tapestry::detail
