#include <tuple>
#include <utility>

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/detail/wait_queue.hpp"

namespace tapestry::detail {

namespace {

using RunWaiter = BasicWaiter<Atomics, Run>;

/// Whether any worker of the run's pool, or a thread that helps the pool, may resume the run, and the calling
/// thread is such a thread. A run that has shifted to another executor must be resumed there.
bool mayGoOnHere(const Run& run) noexcept {
  return &run.executor() == run.environment()->workers() && run.executor().isHelpedHere();
}

/// Woken runs of one executor that no thread has claimed yet.
class WokenRuns final : public Node {
 public:
  /// If the waking thread is no worker, the runs are posted, so that workers need not wait for that thread.
  explicit WokenRuns(Executor& workers) noexcept : workers_(workers), posts_(!workers.isHere()) {}

  /// Precondition: one of the runs has not ended.
  Executor& workers() const noexcept { return workers_; }

  /// Precondition: no other thread has a reference to this object yet.
  void add(RunWaiter& waiter) noexcept {
    waiter.nextWaiter = nullptr;
    (last_ ? last_->nextWaiter : first_) = &waiter;
    last_ = &waiter;
  }

  /// Returns the next run, or null, and whether there are others.
  std::pair<Run*, bool> claim() noexcept {
    const SpinGuard guard(lock_);
    return claimLocked();
  }

  /// Returns a run to be posted to a worker, or null: at most one run is posted at a time.
  Run* claimForPost() noexcept {
    if (!posts_) return nullptr;
    const SpinGuard guard(lock_);
    if (posted_) return nullptr;
    Run* const run = claimLocked().first;
    posted_ = run;
    return run;
  }
  /// Called when a worker executes the posted run; returns whether there are others.
  bool arrived() noexcept {
    const SpinGuard guard(lock_);
    posted_ = false;
    return first_;
  }

 private:
  std::pair<Run*, bool> claimLocked() noexcept {
    if (!first_) return {nullptr, false};
    RunWaiter* const claimed = std::exchange(first_, first_->nextWaiter);
    return {&claimed->run(), first_ != nullptr};
  }

  Executor& workers_;
  const bool posts_;
  SpinLock lock_;
  RunWaiter* first_ = nullptr;
  RunWaiter* last_ = nullptr;
  bool posted_ = false;
};

/// Resumes one run after the other on the executing thread until none is left. Owns itself.
class WokenTicket final : public Task, public Pooled {
 public:
  explicit WokenTicket(Ref<WokenRuns> runs, Run* claimed = nullptr) noexcept
      : runs_(std::move(runs)), claimed_(claimed) {}

  /// Gives a ticket to an idle worker, or else posts it to the workers. The posted ticket has already claimed
  /// its first run, so that it does not outlive all runs. Precondition: one of the runs has not ended.
  static void share(const Ref<WokenRuns>& runs) noexcept {
    Executor& workers = runs->workers();
    if (workers.idle()) {
      auto* const ticket = new WokenTicket(runs);
      if (workers.offer(*ticket)) return;
      delete ticket;
    }
    if (Run* const claimed = runs->claimForPost()) {
      auto* const ticket = new WokenTicket(runs, claimed);
      if (!workers.post(*ticket)) ticket->refuse();
    }
  }

  void execute() noexcept override {
    const Ref<WokenRuns> runs = runs_;
    Run* run = std::exchange(claimed_, nullptr);
    bool hasMore = false;
    if (run)
      hasMore = runs->arrived();
    else
      std::tie(run, hasMore) = runs->claim();
    if (hasMore) {
      pushWoken(*this);
      share(runs);
    } else {
      delete this;
    }
    if (run) run->execute();
  }

  /// The other runs are left to the thread that has woken them.
  void refuse() noexcept override {
    Run* const run = claimed_;
    delete this;
    if (run) run->refuse();
  }

 private:
  const Ref<WokenRuns> runs_;
  Run* claimed_;  ///< the run to be resumed first, or null
};

}  // namespace

void wakeAll(RunWaiter* first) noexcept {
  const bool several = first && first->nextWaiter && threadState.ready.driving;
  Ref<WokenRuns> runs;
  while (first) {
    RunWaiter& waiter = *std::exchange(first, first->nextWaiter);
    Run& run = waiter.run();
    if (!several || !mayGoOnHere(run) || (runs && &runs->workers() != &run.executor())) {
      run.resume();
      continue;
    }
    if (!runs) runs = makeRef<WokenRuns>(run.executor());
    runs->add(waiter);
  }
  if (!runs) return;
  pushWoken(*new WokenTicket(runs));
  WokenTicket::share(runs);
}

}  // namespace tapestry::detail
