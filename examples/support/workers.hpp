// Defines Workers, the threads that help the main one to run programs.
#pragma once

#include <cstddef>
#include <memory>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/raii.hpp>

namespace tapestry::examples {

/// `threads` threads, at least 1, of which the first is the thread that calls `run`.
class Workers {
 public:
  explicit Workers(std::size_t threads)
      : pool_(threads > 1 ? std::make_unique<ThreadPool>(static_cast<unsigned>(threads - 1)) : nullptr) {}

  /// Runs the program to its end, and returns its value or throws its error. Blocks the thread, which works
  /// on it too.
  template <class A>
  A run(const Do<A>& program) const {
    return pool_ ? program.blockingAwait(*pool_) : program.blockingAwait();
  }

 private:
  std::unique_ptr<ThreadPool> pool_;
};

}  // namespace tapestry::examples
