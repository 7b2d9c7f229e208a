// Defines ThreadPool, an executor with a fixed number of threads.
#pragma once

#include "tapestry/continuation/detail/engine/node.hpp"
#include "tapestry/continuation/executor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Its threads wait for work in the io_context of the pool. With `blockingAwait(pool)` or
/// `onComplete(callback, pool)`, parallel branches are distributed among its threads. One of the threads
/// without work stays awake for another 100 us, or for 500 us if it has helped a thread that continues
/// meanwhile; the others sleep.
class ThreadPool final : public Executor {
 public:
  /// With as many threads as the machine can run concurrently.
  ThreadPool();
  /// Throws std::invalid_argument for 0 threads, and std::system_error if the system cannot start so many.
  explicit ThreadPool(unsigned threads);

  /// Asks the runs that were started on the pool to stop, waits for them and their releases, and for the
  /// posted work, which is cancelled if it has not begun, then joins the threads. A run that was started on
  /// another executor and moves here meanwhile or later is stopped with ExecutorStopped. Ends the process if
  /// it is called on a thread of the pool. Precondition: not called in the callback of a run that was started
  /// on the pool.
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
#pragma GCC visibility pop
