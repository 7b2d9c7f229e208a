#include "tapestry/deeplearning/detail/pass/watch.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include "tapestry/deeplearning/count_pass.hpp"
#include "tapestry/deeplearning/detail/node/graph_node.hpp"
#include "tapestry/deeplearning/detail/pass/finite.hpp"
#include "tapestry/deeplearning/extend/graph.hpp"
#include "tapestry/deeplearning/observe_passes.hpp"

namespace tapestry::detail {

/// Prints the passes' operations if TAPESTRY_TRACE is 1, else null; in pictures/path.cpp.
std::shared_ptr<PassObserver> observerForEnvironment();

namespace {

std::size_t over(std::size_t before, std::size_t now) noexcept { return now > before ? now - before : 0; }

void raise(std::atomic<std::size_t>& most, std::size_t value) noexcept {
  std::size_t seen = most;
  while (seen < value && !most.compare_exchange_weak(seen, value)) {
  }
}

void requireFinite(NodeState& state) {
  const std::string got = state.nonFiniteData();
  if (got.empty()) return;
  // results of other operations have been checked: only weights and literals can be the cause
  for (const NodeState* operand : state.node->operandStates(state))
    if (const std::string given = operand->nonFiniteData(); !given.empty())
      throw notFinite(operand->node->name(), "the value", given);
  throw notFinite(state.node->name(), "the result", got);
}

/// The observer of all passes. Never destroyed, since passes may outlive static objects.
struct AllObserver {
  std::mutex mutex;
  std::shared_ptr<PassObserver> observer = observerForEnvironment();

  static AllObserver& get() {
    static AllObserver& all = *new AllObserver;
    return all;
  }
};

std::atomic<bool> observesAll{AllObserver::get().observer != nullptr};

std::shared_ptr<PassObserver> observerOfAll() noexcept {
  // acquire: sees the observer that was set before
  if (!observesAll.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard guard(AllObserver::get().mutex);
  return AllObserver::get().observer;
}

}  // namespace

void PassCounter::observe(Event event, std::string_view, const void*) noexcept {
  forwards_ += event == Event::forward;
  backwards_ += event == Event::backward;
  steps_ += event == Event::step;
  raise(mostTensors_, over(buffersBefore_, BufferPool::liveBuffers()));
  raise(mostBytes_, over(bytesBefore_, BufferPool::liveBytes()));
}

PassCounts PassCounter::counts() const noexcept {
  return {.forwards = forwards_,
          .backwards = backwards_,
          .steps = steps_,
          .mostTensors = mostTensors_,
          .mostBytes = mostBytes_,
          .leftTensors = over(buffersBefore_, BufferPool::liveBuffers()),
          .leftBytes = over(bytesBefore_, BufferPool::liveBytes())};
}

Watch Watch::of(const Environment& environment) noexcept {
  if (!environment.hasSlots()) return {observerOfAll(), false, false};
  const auto* observer = environment.find<PassObserverSlot>();
  const auto* checks = environment.find<CheckFiniteSlot>();
  const auto* checksLoss = environment.find<CheckLossSlot>();
  return {observer ? *observer : observerOfAll(), checks && *checks, checksLoss && *checksLoss};
}

void Watch::tell(PassObserver::Event event, const NodeState& state) const noexcept {
  if (observer) observer->observeNode(event, extend::NodeView(*state.node, &state));
}

void Watch::used(const Environment& environment, const NodeState& state) const noexcept {
  if (!observer) return;
  NodeState* const* const program = environment.find<EnclosingSlot>();
  if (program && *program)
    observer->observeUse(extend::NodeView(*(*program)->node, *program),
                         extend::NodeView(*state.node, &state));
}

void Watch::given(const NodeState& state) const {
  if (!checksFinite) return;
  if (const std::string got = state.nonFiniteData(); !got.empty())
    throw notFinite(state.node->name(), "the value", got);
}

void Watch::computed(NodeState& state) const {
  if (checksFinite) requireFinite(state);
  tell(PassObserver::Event::forward, state);
}

}  // namespace tapestry::detail

namespace tapestry {

void observePasses(std::shared_ptr<PassObserver> observer) {
  detail::AllObserver& all = detail::AllObserver::get();
  const std::lock_guard guard(all.mutex);
  detail::observesAll = observer != nullptr;
  std::swap(all.observer, observer);
}

void PassObserver::observeNode(Event event, const extend::NodeView& node) noexcept {
  if (event != Event::starts && event != Event::dropped && event != Event::sent)
    observe(event, node.name(), node.id());
}

}  // namespace tapestry
