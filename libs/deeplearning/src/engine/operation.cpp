#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "by_thread.hpp"
#include "tapestry/continuation/extend/gather.hpp"
#include "tapestry/deeplearning/detail/node/graph_node.hpp"
#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"

namespace tapestry::detail {

namespace {

/// For `next` of a state that has failed, but not because of an operand that has failed.
constexpr auto noOperand = std::numeric_limits<std::uint32_t>::max();

[[gnu::noinline]] void computeTelling(NodeState& state, const Watch& watch) {
  watch.tell(PassObserver::Event::starts, state);
  state.node->compute(state);
  watch.computed(state);
}

/// For an operation that has read its operands' data: keeps or drops the data, and leaves the operands if the
/// operation wants no deltas.
void settleOperands(const NodeState& state, std::span<NodeState* const> operands, Keep keep) noexcept {
  const bool keeps = state.wantsDelta && keep == Keep::operands;
  for (NodeState* operand : operands) {
    if (operand->uncounted) continue;
    if (keeps) ++operand->keepers;
    // data that a derivative keeps until it has sent its delta are not dropped before
    const bool keptForDelta = operand->wantsDelta && operand->keepers != 0;
    // the keepers are read again: operations that were counted before may have added theirs
    if (!keptForDelta && operand->node->settle(*operand) && operand->keepers == 0) {
      operand->dropData();
      if (const Watch* watch = state.pass().watch()) [[unlikely]]
        watch->tell(PassObserver::Event::dropped, *operand);
    }
    if (state.wantsDelta) continue;
    if (!operand->wantsDelta && operand->isAlone()) {
      operand->node->dropAlone(*operand);
    } else {
      ReadyList none;
      leaveNode(*operand, none);
    }
  }
}

/// Fails the state and leaves the operands that the operation has entered as a user; a null error stands for
/// Cancelled.
[[gnu::noinline, gnu::cold]] void failOperation(NodeState& state, std::span<NodeState* const> entered,
                                                std::exception_ptr error) noexcept {
  ReadyList ready;
  for (NodeState* operand : entered) leaveNode(*operand, ready);
  while (!ready.empty()) state.pass().addPending(ready.pop());
  state.failed(std::move(error));
}

/// The frames below an operand that an operation waits for, given the operation's state.
void operandOpened(NodeState& state, Run& run);
void operandStopped(NodeState& state, Run& run) {
  const auto entered = state.node->operandStates(state).first(state.next);
  state.next = noOperand;
  failOperation(state, entered, run.stopErrors().toException());
}

/// Enters the operands from `state.next` on, and computes. Leaves a frame in the run for an operand that is
/// not open.
void advance(NodeState& state, Run& run) {
  GraphNode& node = *state.node;
  const auto states = node.operandStates(state);
  for (const auto operands = node.operands(); state.next < states.size(); ++state.next) {
    NodeState*& operand = states[state.next];
    const Entry entry = operands[state.next]->enterIn(state.pass(), HeldBy::otherNode, operand);
    if (entry == Entry::ready) continue;
    run.push<operandOpened, operandStopped>(&state);
    return visit(run, *operand, entry);
  }
  if (const auto failed = std::ranges::find(states, Phase::failed, &NodeState::phase);
      failed != states.end()) {
    state.next = static_cast<std::uint32_t>(failed - states.begin());
    return failOperation(state, states, (*failed)->error);
  }
  try {
    const HelpScope help(state.pass().workers());
    if (const Watch* watch = state.pass().watch()) [[unlikely]]
      computeTelling(state, *watch);
    else
      node.compute(state);
    state.thread.store(thisThread(), std::memory_order_relaxed);  // relaxed: a hint
  } catch (...) {
    const std::exception_ptr error = std::current_exception();
    noteThrown(error, state);
    return failOperation(state, states, error);
  }
  // an operand that a program made may turn out to depend on no weight
  state.wantsDelta = state.wantsDelta && std::ranges::any_of(states, &NodeState::wantsDelta);
  // relaxed: no other thread sees the state before it is open
  if (state.wantsDelta && node.keep() == Keep::output) state.keepers.store(1, std::memory_order_relaxed);
  settleOperands(state, states, node.keep());
  state.finish(Phase::open);
}

void operandOpened(NodeState& state, Run& run) {
  ++state.next;
  advance(state, run);
}

/// Visits all operands, each in a branch, and continues with the operation.
class VisitMany final : public Gather {
 public:
  explicit VisitMany(NodeState& state)
      : state_(state),
        states_(state.node->operandStates(state)),
        entered_(states_.size()),
        errors_(states_.size()) {}

  static void begin(Run& run, NodeState& state) {
    auto& visits = run.push<&VisitMany::visited, &VisitMany::stopped>(makeRef<VisitMany>(state));
    visits.Gather::begin(run, visits.states_.size(), {});
  }

 private:
  void start(std::size_t index, Run& run) noexcept override {
    constexpr auto done = [](Run& r) { r.put(Unit{}); };
    run.push<done>();
    NodeState*& state = states_[index];
    const Entry entry = state_.node->operands()[index]->enterIn(state_.pass(), HeldBy::otherNode, state);
    if (entry != Entry::ready) visit(run, *state, entry);
  }
  bool collect(std::size_t index, Run& run) noexcept override {
    if (run.stopping()) {
      errors_[index] = run.takeStop().toException();
    } else {
      run.take<Unit>();
      entered_[index] = states_[index];
    }
    return false;
  }

  void visited(Run& run) {
    if (std::ranges::count(entered_, nullptr) != 0) {
      const auto error = std::ranges::find_if(errors_, [](const auto& e) { return e != nullptr; });
      return fail(error == errors_.end() ? nullptr : *error);
    }
    state_.next = static_cast<std::uint32_t>(states_.size());
    advance(state_, run);
  }
  void stopped(Run& run) { fail(run.stopErrors().toException()); }
  void fail(std::exception_ptr error) noexcept {
    std::erase(entered_, nullptr);
    state_.next = noOperand;
    failOperation(state_, entered_, std::move(error));
  }

  NodeState& state_;
  const std::span<NodeState*> states_;
  std::vector<NodeState*> entered_;  ///< null for an operand whose branch was stopped before it became a user
  std::vector<std::exception_ptr> errors_;
};

}  // namespace

void GraphNode::open(Run& run, NodeState& state) {
  state.next = 0;
  if (run.environment()->workers()) {
    const GraphNode* first = nullptr;
    for (const auto& operand : operands()) {
      if (operand->cost() < worthAFork || operand.get() == first) continue;
      if (first) return VisitMany::begin(run, state);
      first = operand.get();
    }
  }
  advance(state, run);
}

}  // namespace tapestry::detail
