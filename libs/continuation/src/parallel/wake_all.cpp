#include <tuple>
#include <utility>

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/detail/wait_queue.hpp"
#include "woken_runs.hpp"

namespace tapestry::detail {

template class BasicWaiter<Atomics, Run>;

namespace {

using RunWaiter = BasicWaiter<Atomics, Run>;

/// Whether any worker of the run's pool, or a thread that helps the pool, may resume the run, and the calling
/// thread is such a thread. A run that has shifted to another executor must be resumed there.
bool mayGoOnHere(const Run& run) noexcept {
  return &run.executor() == run.environment()->workers() && run.executor().isHelpedHere();
}

/// Woken runs of one executor.
class WokenRuns final : public Node, public BasicWokenRuns<Atomics, RunWaiter> {
 public:
  /// If the waking thread is no worker, the runs are posted, so that workers need not wait for that thread.
  explicit WokenRuns(Executor& workers) noexcept
      : BasicWokenRuns(!workers.isHere()),
        endOfWorkers(&workers.lasting() != &workers ? End::last : End::first),
        workers_(workers) {}

  /// Precondition: one of the runs has not ended.
  Executor& workers() const noexcept { return workers_; }

  /// Workers of a crew claim the last run, and its calling thread the first, so that a thread gets about the
  /// same runs whenever runs wait in the same order, and finds their data in its cache. All threads of other
  /// executors claim the first run.
  const End endOfWorkers;

 private:
  Executor& workers_;
};

/// Resumes one run after the other on the executing thread until none is left. Owns itself.
class WokenTicket final : public Task, public Pooled {
 public:
  WokenTicket(Ref<WokenRuns> runs, WokenRuns::End end, RunWaiter* claimed = nullptr) noexcept
      : runs_(std::move(runs)), end_(end), claimed_(claimed) {}

  /// Gives a ticket to an idle worker, or else posts it to the workers. The posted ticket has already claimed
  /// a run, so that it does not outlive all runs. Precondition: one of the runs has not ended.
  static void share(const Ref<WokenRuns>& runs) noexcept {
    Executor& workers = runs->workers();
    if (workers.idle()) {
      auto* const ticket = new WokenTicket(runs, runs->endOfWorkers);
      if (workers.offer(*ticket)) return;
      delete ticket;
    }
    if (RunWaiter* const claimed = runs->claimForPost()) {
      auto* const ticket = new WokenTicket(runs, runs->endOfWorkers, claimed);
      if (!workers.post(*ticket)) ticket->refuse();
    }
  }

  void execute() noexcept override {
    const Ref<WokenRuns> runs = runs_;
    RunWaiter* claimed = std::exchange(claimed_, nullptr);
    bool hasMore = false;
    if (claimed)
      hasMore = runs->arrived();
    else
      std::tie(claimed, hasMore) = runs->claim(end_);
    if (hasMore) {
      pushWoken(*this);
      share(runs);
    } else {
      delete this;
    }
    if (claimed) claimed->run().execute();
  }

  /// The other runs are left to the thread that has woken them.
  void refuse() noexcept override {
    RunWaiter* const claimed = claimed_;
    delete this;
    if (claimed) claimed->run().refuse();
  }

 private:
  const Ref<WokenRuns> runs_;
  const WokenRuns::End end_;
  RunWaiter* claimed_;  ///< of the run to be resumed first, or null
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
  const bool isWorker = runs->workers().isHere();
  pushWoken(*new WokenTicket(runs, isWorker ? runs->endOfWorkers : WokenRuns::End::first));
  WokenTicket::share(runs);
}

}  // namespace tapestry::detail
