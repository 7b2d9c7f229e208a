// Defines ThreadPool, the executor of a fixed number of threads.
#pragma once

#include "tapestry/continuation/detail/engine/node.hpp"
#include "tapestry/continuation/executor.hpp"

namespace tapestry {

/// Its threads wait for work in an io_context of its own. Give it to `blockingAwait(pool)` or
/// `onComplete(callback, pool)`, and parallel branches are shared out among its threads. Of those that have
/// nothing to do any more one stays awake for another 100 us, or for 500 us if it has helped a thread that
/// goes on meanwhile; the others sleep.
class ThreadPool final : public Executor {
 public:
  /// As many threads as the machine runs at once.
  ThreadPool();
  /// Throws std::invalid_argument for no threads, std::system_error for more than the system gives.
  explicit ThreadPool(unsigned threads);

  /// Asks the runs that were started on the pool to stop, waits for them and their releases, and for the work
  /// that was posted, of which what has not begun is cancelled, then joins the threads. A run that was
  /// started elsewhere and comes here meanwhile or later is stopped with ExecutorStopped. Ends the process if
  /// it is called on one of the threads. Precondition: not in the callback of a run that was started on it.
  ~ThreadPool();

  unsigned size() const noexcept;

  bool post(detail::Task& task) noexcept override;
  bool isHere() const noexcept override;
  bool offer(detail::Task& task) noexcept override;
  bool idle() const noexcept override;
  Executor& core() noexcept override;

 private:
  class State;
  detail::Ref<State> state_;
};

}  // namespace tapestry
