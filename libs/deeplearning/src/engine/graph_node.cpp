#include "tapestry/deeplearning/detail/node/graph_node.hpp"

#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include "tapestry/deeplearning/detail/node/trainable_node.hpp"
#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/extend/exchange.hpp"
#include "tapestry/deeplearning/no_pass.hpp"

namespace tapestry::detail {

namespace {

[[gnu::noinline]] std::exception_ptr errorOfGiven(const Watch& watch, const NodeState& state) noexcept {
  try {
    watch.given(state);
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void yieldTape(NodeState& state, Run& run) {
  const Ref<Pass>& pass = *run.environment()->find<PassSlot>();
  if (state.phase == Phase::failed) {
    if (!state.error) return run.stop(Errors());
    notePath(state);
    return state.putTape(run, pass, state.error);
  }
  std::exception_ptr error;
  if (const Watch* watch = pass->watch()) {
    watch->used(*run.environment(), state);
    if (state.uncounted || state.node->asTrainable()) error = errorOfGiven(*watch, state);
  }
  state.putTape(run, pass, std::move(error));
}

}  // namespace

void GraphNode::step(Run& run, Keeper::Raw keeper) const {
  auto* self = const_cast<GraphNode*>(this);
  run.keep(keeper);
  const Ref<Pass>* pass = run.environment()->find<PassSlot>();
  if (!pass || !*pass) return self->slot().putTape(run, nullptr, std::make_exception_ptr(NoPass()));
  NodeState* state = nullptr;
  const Entry entry = self->enterIn(**pass, HeldBy::pass, state);
  enterMask(run);
  run.push<yieldTape>(state);
  if (entry != Entry::ready) visit(run, *state, entry);
}

// inlined, since each visit of an operand calls it once
[[gnu::always_inline]] inline auto GraphNode::find(Pass& pass, HeldBy heldBy) -> Found {
  NodeState& own = slot();
  // acquire: sees the writes of the thread that took the state into the pass
  if (own.constant || own.holder.load(std::memory_order_acquire) == &pass) return {&own, false};
  // the parts of a pass read the values that the whole pass has read
  if (Pass* whole = pass.whole(); whole && asTrainable()) stateIn(*whole);
  NodeState* found = nullptr;
  for (;; std::this_thread::yield()) {
    const SpinGuard guard(lock_);
    const Pass* const holder = own.holder.load(std::memory_order_acquire);
    if (holder == &pass) return {&own, false};
    if (NodeState* other = pass.findOther(*this)) return {other, false};
    auto other = holder ? makeState() : nullptr;
    found = other ? other.get() : &own;
    found->wantsDelta = pass.accumulates() && trainable();
    found->kept = heldBy == HeldBy::pass;
    found->phase = Phase::opening;
    if (!enterPass(pass, *found)) continue;
    // release: for users that come without the lock
    found->holder.store(&pass, std::memory_order_release);
    if (other) pass.addOther(*this, std::move(other));
    pass.addVisited(*found);
    break;
  }
  if (pass.watch() && asTrainable()) pass.watch()->tell(PassObserver::Event::read, *found);
  return {found, true};
}

Entry GraphNode::enterIn(Pass& pass, HeldBy heldBy, NodeState*& state) {
  const Found found = find(pass, heldBy);
  state = found.state;
  return found.first && !state->uncounted ? Entry::opener : state->enter();
}

NodeState& GraphNode::stateIn(Pass& pass) {
  const Found found = find(pass, HeldBy::pass);
  // the caller is the opener of a weight whose users are counted
  if (found.first && !found.state->uncounted) found.state->end(Phase::open, [] {});
  return *found.state;
}

NodeState* GraphNode::stateInWhole(const Pass& pass) noexcept {
  Pass* const whole = pass.whole();
  if (!whole) return nullptr;
  return slot().holder.load(std::memory_order_acquire) == whole ? &slot() : whole->findOther(*this);
}

bool GraphNode::unreachable(const NodeState& state, std::uint64_t settled) noexcept {
  // `settled` counts some of the references, and was read before them. If both are equal, no other reference
  // exists, and none can be made. The reference that the pass keeps until its end is not a handle of the
  // user.
  return &state == &slot() && references() == settled + state.kept;
}

bool GraphNode::settle(NodeState& state) noexcept {
  if (unreachable(state, 1)) {
    // relaxed: the caller has the only reference
    state.settled.store(1, std::memory_order_relaxed);
    return true;
  }
  // of several threads, only the last to count finds it unreachable
  return unreachable(state, ++state.settled);
}

void GraphNode::drop(NodeState& state) noexcept {
  if (const Watch* watch = state.pass().watch()) watch->tell(PassObserver::Event::release, state);
  state.clear();
}

void GraphNode::dropAlone(NodeState& state) noexcept {
  state.users.store(0, std::memory_order_relaxed);
  state.phase = Phase::fresh;
  drop(state);
}

void GraphNode::dropUnreachable(NodeState& state) noexcept {
  {
    const SpinGuard guard(state.queue.lock);
    if (state.phase != Phase::open || state.users != 0 || !unreachable(state, state.settled)) return;
    state.phase = Phase::fresh;
  }
  drop(state);
}

Entry NodeState::enter() noexcept {
  if (uncounted) return Entry::ready;
  return OpenOnce::enter([this] { addUsers(1); });
}

void NodeState::finish(Phase result) noexcept {
  if (isAlone()) {
    phase = result;
    if (result == Phase::open) users.store(1, std::memory_order_relaxed);
    return;
  }
  end(result, [&] {
    if (result == Phase::open) addUsers(1);
  });
}

bool NodeState::isAlone() const noexcept { return !kept && node->references() == 1; }

std::uint32_t NodeState::addUsers(std::uint32_t number) noexcept {
  // release: the last user sees the writes of earlier users
  const std::uint32_t now = users.load(std::memory_order_relaxed) + number;
  users.store(now, std::memory_order_release);
  return now;
}

void visit(Run& run, NodeState& state, Entry entry) {
  constexpr auto open = [](NodeState& fresh, Run& r) { fresh.node->open(r, fresh); };
  constexpr auto comeAgain = [](OpenWaiter<NodeState>& waiter, Run& r) {
    waiter.leave();  // a request to stop does not end the wait: a forward is masked
    NodeState& awaited = waiter.state();
    if (const Entry next = awaited.enter(); next != Entry::ready) visit(r, awaited, next);
  };
  constexpr auto refused = [](OpenWaiter<NodeState>& waiter, Run&) { waiter.leave(); };
  if (entry == Entry::opener)
    run.push<open>(&state);
  else
    run.park(run.push<comeAgain, refused>(makeRef<OpenWaiter<NodeState>>(state)), {"a node of the network"});
}

void leaveNode(NodeState& state, ReadyList& ready) noexcept {
  if (state.uncounted) return;
  const bool closing = state.pass().closing();
  if (closing && state.hasOneUser()) {
    state.users.store(0, std::memory_order_relaxed);
  } else {
    const SpinGuard guard(state.queue.lock);
    if (state.phase != Phase::open || state.addUsers(-1U) != 0) return;
  }
  if (!state.wantsDelta) return state.node->dropUnreachable(state);
  if (closing && state.pass().exchange() && state.node->asTrainable())
    TrainableNode::complete(state);  // at once, since its exchange takes time
  else if (closing)
    ready.push(state);
  else
    state.pass().addPending(state);
}

std::unique_ptr<Update> afterwards(Do<void> program, std::unique_ptr<Update> update) {
  if (update->awaited) program = program.flatMap([next = *update->awaited] { return next; });
  return updateBy([update = std::move(update)] { update->commit(); }, std::move(program));
}

void TrainableNode::enterAsWeight(const Pass& pass, NodeState& state) noexcept {
  state.uncounted = pass.exchange() == nullptr;
  if (state.uncounted) state.phase = Phase::open;
}

void TrainableNode::complete(NodeState& state) noexcept {
  Pass& pass = state.pass();
  if (!pass.exchange() || pass.hasFailed() || !state.hasDelta()) return;
  const HelpScope help(pass.workers());
  pass.exchange()->complete(extend::PassGradients(pass), extend::WeightId(*state.node));
}

}  // namespace tapestry::detail
