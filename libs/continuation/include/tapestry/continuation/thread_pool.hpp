// Defines ThreadPool, the executor of a fixed number of threads.
#pragma once

#include <memory>

#include "tapestry/continuation/executor.hpp"

namespace tapestry {

/// Wraps boost::asio::thread_pool. Give it to `blockingAwait(pool)` or `onComplete(callback, pool)`, and
/// parallel branches are shared out among its threads.
class ThreadPool final : public Executor {
 public:
  /// As many threads as the machine runs at once.
  ThreadPool();
  /// Throws std::invalid_argument for no threads.
  explicit ThreadPool(unsigned threads);

  /// Waits for the work that was posted, then joins the threads. Precondition: no run of the pool still waits
  /// for something else.
  ~ThreadPool();

  unsigned size() const noexcept;

  bool post(detail::Task& task) noexcept override;
  bool isHere() const noexcept override;
  bool offer(detail::Task& task) noexcept override;
  bool idle() const noexcept override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace tapestry
