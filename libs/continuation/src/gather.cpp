#include "tapestry/continuation/detail/gather.hpp"

#include "tapestry/continuation/detail/ready.hpp"

namespace tapestry::detail {

class Gather::Child final : public Run {
 public:
  Child(Gather& gather, std::size_t index, Executor& executor) noexcept
      : Run(*gather.environment_, executor), gather_(gather), index_(index) {}

  void start() noexcept {
    next(gather_.branch(index_).detach(), true);
    execute();
  }

 private:
  void ended() noexcept override {
    const auto gather = Ref<Gather>::share(&gather_);
    const bool stopOthers = gather->collect(index_, *this);
    delete this;
    if (stopOthers) gather->request();
    gather->branchEnded();
  }

  Gather& gather_;
  const std::size_t index_;
};

/// Begins branches on the thread that executes it, one after the other, until none is left. It owns itself.
class Gather::Claimer final : public Node, public Task {
 public:
  Claimer(Ref<Gather> gather, Executor& executor) noexcept
      : gather_(std::move(gather)), executor_(executor) {}

  void execute() noexcept override {
    const std::size_t index = gather_->next_.fetch_add(1);
    if (index >= gather_->count_) return release();
    const Ref<Gather> gather = gather_;
    Executor& executor = executor_;
    if (index + 1 < gather->count_) {
      pushBranch(*this);
      gather->offer();
    } else {
      release();
    }
    if (gather->requested())
      gather->branchEnded();
    else
      (new Child(*gather, index, executor))->start();
  }

 private:
  const Ref<Gather> gather_;
  Executor& executor_;
};

void Gather::begin(Run& parent, std::size_t count) {
  parent_ = &parent;
  count_ = count;
  if (count == 0) return;
  // relaxed: published to other threads by the offers
  running_.store(count, std::memory_order_relaxed);
  environment_.emplace(parent.environment(), *this);
  linkTo(parent.environment()->stop());
  parent.park(*this, {"its parallel branches"});
}

bool Gather::park(Run& parent) noexcept {
  pushBranch(*new Claimer(Ref<Gather>::share(this), parent.executor()));
  return false;
}

void Gather::offer() noexcept {
  Executor* workers = environment_->workers();
  if (!workers) return;
  if (!workers->idle()) return;
  auto* claimer = new Claimer(Ref<Gather>::share(this), *workers);
  if (!workers->offer(*claimer)) claimer->release();
}

void Gather::branchEnded() noexcept {
  if (running_.fetch_sub(1) != 1) return;
  unlink();
  parent_->resume();
}

}  // namespace tapestry::detail
