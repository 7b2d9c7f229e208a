#include <algorithm>

#include "tapestry/continuation/detail/gather.hpp"
#include "tapestry/deeplearning/detail/operation_node.hpp"

namespace tapestry::detail {

namespace {

/// A branch worth less, in ns, is not worth the hand-over to another thread.
constexpr float worthAFork = 20'000;

NodeState& stateOf(const void* self) noexcept {
  return *const_cast<NodeState*>(static_cast<const NodeState*>(self));
}

class VisitOne final : public ProgramNode {
 public:
  explicit VisitOne(NodeState& state) noexcept : state_(state) {}

  void step(Run& run, bool owned) const override {
    constexpr auto done = [](const void*, Run& r) { r.put(Unit{}); };
    run.push({nullptr, done, nullptr, owned ? this : nullptr});
    if (const Entry entry = state_.enter(); entry != Entry::ready) visit(run, state_, entry);
  }

 private:
  NodeState& state_;
};

}  // namespace

void OperandStates::settle(const NodeState& own, Keep keep) noexcept {
  if (own.wantsDelta && keep == Keep::operands)
    for (NodeState* operand : all()) ++operand->keepers;
  for (NodeState* operand : all()) {
    if (operand->uncounted) continue;
    operand->node->settle(*operand);
    ReadyList none;
    if (!own.wantsDelta) leaveNode(*operand, none);
  }
}

/// The frames by which an operation is resumed: `self` is its state.
struct Operation::Frames {
  static Operation& operation(NodeState& state) noexcept { return *state.node->asOperation(); }

  static void visited(const void* self, Run& run) {
    NodeState& state = stateOf(self);
    ++operation(state).operandStates(state).next;
    operation(state).advance(run, state);
  }
  static void visitedAll(const void* self, Run& run) {
    NodeState& state = stateOf(self);
    auto& operands = operation(state).operandStates(state);
    operands.next = operands.all().size();
    operation(state).advance(run, state);
  }
  static void stopped(const void* self, Run& run) {
    NodeState& state = stateOf(self);
    operation(state).finish(state, run.stopErrors().toException());
  }
};

class Operation::VisitMany final : public Gather {
 public:
  explicit VisitMany(std::span<NodeState*> states) noexcept : states_(states) {}

 private:
  Ref<const ProgramNode> branch(std::size_t index) noexcept override {
    return makeRef<VisitOne>(*states_[index]);
  }
  bool collect(std::size_t, Run& run) noexcept override {
    // a branch that was stopped has failed its node
    if (run.stopping())
      run.takeStop();
    else
      run.take<Unit>();
    return false;
  }

  std::span<NodeState*> states_;
};

void Operation::openOperation(Run& run, NodeState& state) {
  auto& own = operandStates(state);
  const auto states = own.all();
  own.next = 0;
  for (std::size_t i = 0; const auto& operand : operands()) states[i++] = &operand->stateIn(*state.pass);
  if (!visitInParallel(run, state)) advance(run, state);
}

bool Operation::visitInParallel(Run& run, NodeState& state) {
  if (!run.environment()->workers()) return false;
  const auto states = operandStates(state).all();
  const NodeState* first = nullptr;
  bool several = false;
  for (const NodeState* operand : states) {
    if (operand->node->cost() < worthAFork || operand == first) continue;
    several |= first != nullptr;
    first = operand;
  }
  if (!several) return false;
  auto* branches = new VisitMany(states);
  run.push({&state, Frames::visitedAll, Frames::stopped, nullptr});
  run.keep(branches);
  branches->begin(run, states.size());
  return true;
}

void Operation::advance(Run& run, NodeState& state) {
  auto& own = operandStates(state);
  const auto states = own.all();
  for (; own.next < states.size(); ++own.next) {
    NodeState& operand = *states[own.next];
    const Entry entry = operand.enter();
    if (entry == Entry::ready) continue;
    run.push({&state, Frames::visited, Frames::stopped, nullptr});
    return visit(run, operand, entry);
  }
  std::exception_ptr error;
  for (NodeState* operand : states)
    if (operand->phase == Phase::failed && !error) error = operand->error;
  if (!error) try {
      compute(state);
    } catch (...) {
      error = std::current_exception();
    }
  finish(state, std::move(error));
}

void Operation::finish(NodeState& state, std::exception_ptr error) {
  auto& own = operandStates(state);
  if (!error) {
    // an operand that a program made may turn out to depend on no weight
    state.wantsDelta = state.wantsDelta && std::ranges::any_of(own.all(), &NodeState::wantsDelta);
    state.keepers += state.wantsDelta && keep() == Keep::output;
    own.settle(state, keep());
    return state.opened();
  }
  ReadyList ready;
  for (NodeState* operand : own.all().first(own.next)) leaveNode(*operand, ready);
  while (!ready.empty()) state.pass->addPending(ready.pop());
  state.failed(std::move(error));
}

void Operation::flushOperation(NodeState& state, ReadyList& ready) {
  if (!state.pass->hasFailed()) try {
      derive(state);
    } catch (...) {
      state.pass->fail(std::current_exception());
    }
  state.clear();
  for (NodeState* operand : operandStates(state).all()) leaveNode(*operand, ready);
}

}  // namespace tapestry::detail
