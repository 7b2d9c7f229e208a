#include "tapestry/deeplearning/detail/pass/pass.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <unordered_map>
#include <utility>

#include "tapestry/deeplearning/no_pass.hpp"
#include "tapestry/deeplearning/seed.hpp"
#include "tapestry/tensor/split_mix.hpp"

namespace tapestry::detail {

namespace {

std::uint64_t nextSeed() noexcept {
  static std::atomic<std::uint64_t> next{0};
  return next.fetch_add(1, std::memory_order_relaxed);
}

/// Makes a pass as the run's environment requires.
class NewPass : public ProgramOperations<NewPass> {
 public:
  using ValueType = Do<Ref<Pass>>::Acquired;
  explicit NewPass(PassOptions options) noexcept : options_(std::move(options)) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    if (run.stopIfRequested()) return;
    const Environment& environment = *run.environment();
    const auto* mode = environment.find<ModeSlot>();
    const auto* seed = environment.find<SeedSlot>();
    const auto& whole = options_.whole;
    const Mode usual = options_.kind == PassKind::accumulating ? Mode::train : Mode::predict;
    const std::uint64_t drawn = whole ? splitMix(whole->seed(), options_.part) : seed ? *seed : nextSeed();
    auto pass =
        makeRef<Pass>(options_, mode ? *mode : usual, drawn, Watch::of(environment), environment.workers());
    if (const Watch* watch = pass->watch(); watch && watch->observer) watch->observer->passOpened(pass.get());
    UnitContinuation<Errors> end{Ref<const ProgramNode>(pass)};
    run.put(ValueType{Try<Ref<Pass>>::success(std::move(pass)), std::move(end)});
  }

 private:
  PassOptions options_;
};

/// Closes the pass; then fails if the pass has failed, and is cancelled if the pass was cancelled.
class Close : public ProgramOperations<Close> {
 public:
  using ValueType = Do<void>::Acquired;
  explicit Close(Pass& pass) noexcept : pass_(pass) {}

  void step(Run& run, Keeper keeper) const {
    run.push<&Close::closed>(this, std::move(keeper));
    enterMask(run);
    flushAll(run, pass_.close());
  }

 private:
  void closed(Run& run) const {
    if (!pass_.hasFailed())
      run.put(ValueType{Try<void>::success({}), {}});
    else if (auto error = pass_.error())
      run.put(ValueType{Try<void>::failure(std::move(error)), {}});
    else
      run.stop(Errors());
  }

  Pass& pass_;
};

}  // namespace

struct Pass::Others {
  std::unordered_map<const GraphNode*, std::unique_ptr<NodeState>> states;
};

Pass::Pass(const PassOptions& options, Mode mode, std::uint64_t seed, Watch watch, Executor* workers) noexcept
    : kind_(options.kind),
      mode_(mode),
      seed_(seed),
      watched_(watch.observer || watch.checksFinite || watch.checksLoss),
      watch_(std::move(watch)),
      whole_(options.whole),
      workers_(workers),
      exchange_(options.exchange.get()) {}

Pass::~Pass() = default;

void Pass::step(Run& run, Keeper::Raw keeper) const {
  constexpr auto closed = [](Pass& pass, Run& r) {
    pass.end();
    r.put(Errors());
  };
  // called if the executor takes no more work while deltas flow
  constexpr auto refused = [](Pass& pass, Run&) { pass.end(); };
  auto* const self = const_cast<Pass*>(this);
  run.push<closed, refused>(self, Keeper(keeper));
  if (closing()) return;
  // the program has failed or was cancelled: its remaining nodes are released, and no deltas flow
  self->fail(nullptr);
  enterMask(run);
  flushAll(run, self->close());
}

ReadyList Pass::close() noexcept {
  const SpinGuard guard(lock_);
  closing_.store(true, std::memory_order_release);
  ReadyList ready;
  while (!pending_.empty()) {
    NodeState& state = pending_.pop();
    const SpinGuard guarded(state.queue.lock);
    // a node that has got another user meanwhile becomes ready when that user leaves
    if (state.users.load(std::memory_order_relaxed) == 0) ready.push(state);
  }
  return ready;
}

void Pass::addPending(NodeState& state) noexcept {
  const SpinGuard guard(lock_);
  if (!std::exchange(state.pending, true)) pending_.push(state);
}

void Pass::fail(std::exception_ptr error) noexcept {
  const SpinGuard guard(lock_);
  if (!error_) error_ = std::move(error);
  failed_.store(true, std::memory_order_release);
}

std::exception_ptr Pass::error() noexcept {
  const SpinGuard guard(lock_);
  return error_;
}

void Pass::addVisited(NodeState& state) noexcept {
  if (state.kept) state.node->retain();
  auto& list = state.node->asTrainable() ? weights_ : visited_;
  NodeState* head = list.load(std::memory_order_relaxed);
  do state.nextVisited = head;
  while (!list.compare_exchange_weak(head, &state, std::memory_order_release, std::memory_order_relaxed));
}

NodeState* Pass::findOther(GraphNode& node) noexcept {
  if (!hasOthers_.load(std::memory_order_acquire)) return nullptr;
  const SpinGuard guard(lock_);
  const auto found = others_->states.find(&node);
  return found == others_->states.end() ? nullptr : found->second.get();
}

NodeState& Pass::addOther(GraphNode& node, std::unique_ptr<NodeState> state) {
  const SpinGuard guard(lock_);
  if (!others_) others_ = std::make_unique<Others>();
  hasOthers_.store(true, std::memory_order_release);
  return *others_->states.emplace(&node, std::move(state)).first->second;
}

void Pass::tellReleases(NodeState* state) const noexcept {
  for (; state; state = state->nextVisited)
    // nodes that want deltas have been flushed, and nodes that could be dropped earlier are fresh
    if (state->phase == Phase::open && !state->uncounted && !state->wantsDelta)
      watch_.tell(PassObserver::Event::release, *state);
}

void Pass::end() noexcept {
  ended_.store(true, std::memory_order_release);
  if (watched_) tellReleases(visited_);
  if (watch_.observer) watch_.observer->passEnded(this);
  // nodes that the pass keeps alive keep the others alive
  NodeState* kept = nullptr;
  for (NodeState* list : {visited_.load(), weights_.load()})
    while (list) {
      NodeState& state = *std::exchange(list, list->nextVisited);
      if (state.kept)
        state.nextVisited = std::exchange(kept, &state);
      else
        give(state);
    }
  while (kept) {
    NodeState& state = *std::exchange(kept, kept->nextVisited);
    GraphNode* const node = state.node;
    give(state);
    node->release();
  }
  if (others_) others_->states.clear();
}

void Pass::give(NodeState& state) noexcept {
  state.clear();
  state.error = nullptr;
  if (&state != &state.node->slot()) return;
  state.pending = false;
  // relaxed: a pass that takes the slot sees the holder first
  state.users.store(0, std::memory_order_relaxed);
  state.keepers.store(0, std::memory_order_relaxed);
  state.settled.store(0, std::memory_order_relaxed);
  state.holder.store(nullptr, std::memory_order_release);
}

Do<Ref<Pass>> openPass(PassOptions options) {
  return Do<Ref<Pass>>(UnitContinuation<NewPass::ValueType>(NewPass(std::move(options))));
}

Do<Ref<Pass>> currentPass() {
  return Do<Ref<Pass>>::lift(ask<PassSlot>()).map([](const Ref<Pass>& pass) {
    if (!pass) throw NoPass();
    return pass;
  });
}

Do<void> closePass(Pass& pass) { return Do<void>(UnitContinuation<Do<void>::Acquired>(Close(pass))); }

}  // namespace tapestry::detail

namespace tapestry {

Do<Mode> currentMode() {
  return detail::currentPass().map([](const detail::Ref<detail::Pass>& pass) { return pass->mode(); });
}

}  // namespace tapestry
