// Defines Fiber, a stack of its own on which a function runs until it leaves, to be entered again on any thread.
#pragma once

#include <cstddef>

#include "exception_state.hpp"

namespace boost::context::detail {
struct transfer_t;
}

namespace tapestry::detail {

using boost::context::detail::transfer_t;

/// Lives at the top of its stack. Below the stack is a guard page.
class Fiber {
 public:
  /// From the pool; null if there is no memory.
  static Fiber* take() noexcept;
  /// Back to the pool. Precondition: `ended`.
  void giveBack() noexcept;

  /// Prepares for function(argument), which the first `enter` calls. It must not throw.
  void begin(void (*function)(void*), void* argument) noexcept;
  /// Returns when the function leaves or ends.
  void enter() noexcept;
  /// In the function: returns at the next `enter`, possibly on another thread.
  void leave() noexcept;
  bool ended() const noexcept { return ended_; }

 private:
  friend class FiberPool;

  /// New memory, or null.
  static Fiber* map() noexcept;
  void unmap() noexcept;

  Fiber(std::byte* bottom, std::size_t bytes) noexcept;
  ~Fiber();
  static void main(transfer_t from) noexcept;

  std::byte* const bottom_;  ///< of the stack, above the guard page
  const std::size_t bytes_;  ///< of the stack, up to here
  Fiber* nextFree_ = nullptr;

  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool ended_ = true;
  void* context_ = nullptr;   ///< where the fiber goes on
  void* caller_ = nullptr;    ///< where the thread that entered it goes on
  ExceptionState exceptions_;  ///< while inside: the caller's

  void* const tsanFiber_;
  void* tsanCaller_ = nullptr;
  void* fakeStack_ = nullptr;
  const void* callerBottom_ = nullptr;
  std::size_t callerBytes_ = 0;
};

}  // namespace tapestry::detail
