#include <algorithm>
#include <vector>

#include "tapestry/continuation/detail/gather.hpp"
#include "tapestry/deeplearning/detail/help_scope.hpp"
#include "tapestry/deeplearning/detail/operation_node.hpp"

namespace tapestry::detail {

namespace {

NodeState& stateOf(const void* self) noexcept {
  return *const_cast<NodeState*>(static_cast<const NodeState*>(self));
}

/// The exception that a derivative has thrown; a delta that is not finite becomes the operation's.
[[gnu::noinline]] std::exception_ptr currentErrorOf(const GraphNode& node) {
  try {
    throw;
  } catch (const DeltaNotFinite& error) {
    return std::make_exception_ptr(notFinite(node.name(), "the delta of an operand", error.got));
  } catch (...) {
    return std::current_exception();
  }
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
  static void stopped(const void* self, Run& run) {
    NodeState& state = stateOf(self);
    auto& own = operation(state).operandStates(state);
    fail(state, own.all().first(own.next), run.stopErrors().toException());
  }
};

/// Visits all operands, each in a branch, and goes on with the operation.
class Operation::VisitMany final : public Gather {
 public:
  explicit VisitMany(NodeState& state)
      : state_(state),
        operands_(Frames::operation(state).operandStates(state).all()),
        entered_(operands_.size()),
        errors_(operands_.size()) {}

  void begin(Run& run) {
    run.push({this, visited, stopped, this});
    Gather::begin(run, operands_.size(), {});
  }

 private:
  void start(std::size_t index, Run& run) noexcept override {
    run.next(makeRef<VisitOne>(*operands_[index]).detach(), true);
  }
  bool collect(std::size_t index, Run& run) noexcept override {
    if (run.stopping()) {
      errors_[index] = run.takeStop().toException();
    } else {
      run.take<Unit>();
      entered_[index] = operands_[index];
    }
    return false;
  }

  static void visited(const void* self, Run& run) {
    auto& visits = *const_cast<VisitMany*>(static_cast<const VisitMany*>(self));
    if (std::ranges::count(visits.entered_, nullptr) != 0) {
      const auto error = std::ranges::find_if(visits.errors_, [](const auto& e) { return e != nullptr; });
      return visits.fail(error == visits.errors_.end() ? nullptr : *error);
    }
    Operation& operation = Frames::operation(visits.state_);
    operation.operandStates(visits.state_).next = visits.operands_.size();
    operation.advance(run, visits.state_);
  }
  static void stopped(const void* self, Run& run) {
    const_cast<VisitMany*>(static_cast<const VisitMany*>(self))->fail(run.stopErrors().toException());
  }
  void fail(std::exception_ptr error) noexcept {
    std::erase(entered_, nullptr);
    Operation::fail(state_, entered_, std::move(error));
  }

  NodeState& state_;
  const std::span<NodeState*> operands_;
  std::vector<NodeState*> entered_;  ///< null for an operand whose branch was stopped before it was its user
  std::vector<std::exception_ptr> errors_;
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
  (new VisitMany(state))->begin(run);
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
  if (const auto failed = std::ranges::find(states, Phase::failed, &NodeState::phase); failed != states.end())
    return fail(state, states, (*failed)->error);
  try {
    const HelpScope help(state.pass->workers());
    compute(state);
    if (const Watch* watch = state.pass->watch()) watch->computed(state);
  } catch (...) {
    return fail(state, states, std::current_exception());
  }
  // an operand that a program made may turn out to depend on no weight
  state.wantsDelta = state.wantsDelta && std::ranges::any_of(states, &NodeState::wantsDelta);
  state.keepers += state.wantsDelta && keep() == Keep::output;
  own.settle(state, keep());
  state.opened();
}

void Operation::fail(NodeState& state, std::span<NodeState* const> entered,
                     std::exception_ptr error) noexcept {
  ReadyList ready;
  for (NodeState* operand : entered) leaveNode(*operand, ready);
  while (!ready.empty()) state.pass->addPending(ready.pop());
  state.failed(std::move(error));
}

void Operation::flushOperation(NodeState& state, ReadyList& ready) {
  if (!state.pass->hasFailed()) try {
      const HelpScope help(state.pass->workers());
      derive(state);
    } catch (...) {
      state.pass->fail(currentErrorOf(*state.node));
    }
  state.clear();
  for (NodeState* operand : operandStates(state).all()) leaveNode(*operand, ready);
}

}  // namespace tapestry::detail
