#include "tapestry/continuation/detail/gather.hpp"

#include "tapestry/continuation/detail/ready.hpp"

namespace tapestry::detail {

class Gather::Child final : public Node, private Receiver {
 public:
  Child(Ref<Gather> gather, std::size_t index, Ref<const Environment> environment) noexcept
      : gather_(std::move(gather)), index_(index), run_(std::move(environment), *this) {}

  void start() noexcept {
    run_.next(gather_->branch(index_).detach(), true);
    run_.execute();
  }

 private:
  void receive(Run& run) noexcept override {
    const Ref<Gather> gather = std::move(gather_);
    const bool stopOthers = gather->collect(index_, run);
    release();
    if (stopOthers) gather->request();
    gather->ended();
  }

  Ref<Gather> gather_;
  const std::size_t index_;
  Run run_;
};

/// Begins branches on the thread that executes it, one after the other, until none is left. It owns itself.
class Gather::Claimer final : public Node, public Task {
 public:
  Claimer(Ref<Gather> gather, Ref<const Environment> environment) noexcept
      : gather_(std::move(gather)), environment_(std::move(environment)) {}

  void execute() noexcept override {
    const std::size_t index = gather_->next_.fetch_add(1);
    if (index >= gather_->count_) return release();
    const Ref<Gather> gather = gather_;
    const Ref<const Environment> environment = environment_;
    if (index + 1 < gather->count_) {
      pushBranch(*this);
      gather->offer();
    } else {
      release();
    }
    if (gather->requested())
      gather->ended();
    else
      (new Child(gather, index, environment))->start();
  }

 private:
  const Ref<Gather> gather_;
  const Ref<const Environment> environment_;
};

void Gather::begin(Run& parent, std::size_t count) {
  parent_ = &parent;
  count_ = count;
  if (count == 0) return;
  // relaxed: published to other threads by the offers
  running_.store(count, std::memory_order_relaxed);
  environment_ = makeRef<const Environment>(parent.environment(), Ref<StopState>::share(this));
  linkTo(parent.environment()->stopRef());
  parent.park(*this, {"its parallel branches"});
}

bool Gather::park(Run&) noexcept {
  pushBranch(*new Claimer(Ref<Gather>::share(this), environment_));
  return false;
}

void Gather::offer() noexcept {
  Executor* workers = environment_->workers();
  if (!workers) return;
  if (!workers->idle()) return;
  auto* claimer = new Claimer(Ref<Gather>::share(this), makeRef<const Environment>(environment_, *workers));
  if (!workers->offer(*claimer)) claimer->release();
}

void Gather::ended() noexcept {
  if (running_.fetch_sub(1) != 1) return;
  unlink();
  environment_ = nullptr;
  parent_->resume();
}

}  // namespace tapestry::detail
