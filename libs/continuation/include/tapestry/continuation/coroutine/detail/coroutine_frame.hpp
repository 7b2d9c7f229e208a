// Defines CoroutineFrame, the base of all coroutine promises: allocation, begin and end.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>

#include "tapestry/continuation/coroutine/detail/coroutine_block.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A coroutine is begun by its caller, on the caller's block, and goes back there when it has ended. It is
/// destroyed before it was begun or after it has ended.
class CoroutineFrame {
 public:
  [[gnu::noinline]] static void* operator new(std::size_t bytes) { return allocateNode(bytes); }
  [[gnu::noinline]] static void operator delete(void* memory, std::size_t bytes) noexcept {
    deallocateNode(memory, bytes);
  }

  std::suspend_always initial_suspend() const noexcept { return {}; }

  auto final_suspend() noexcept {
    struct GoBack {
      explicit GoBack(CoroutineFrame& ended) noexcept : frame(ended) {}
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<>) const noexcept {
        if (frame.error_ && frame.caller_) frame.block_->fail(std::move(frame.error_));
        frame.block_->goOnWith(frame.caller_);
      }
      void await_resume() const noexcept {}
      CoroutineFrame& frame;
    };
    return GoBack(*this);
  }

  void unhandled_exception() noexcept { error_ = std::current_exception(); }

  void begin(CoroutineBlock& block, std::coroutine_handle<> caller) noexcept {
    block_ = &block;
    caller_ = caller;
  }

  /// Destroys `self`, the coroutine of this frame, which was not begun. If its arguments hold such coroutines
  /// in turn, these are destroyed after it, not recursively.
  void discard(std::coroutine_handle<> self) noexcept;

 protected:
  CoroutineFrame() noexcept : block_(nullptr) {}

  CoroutineBlock& block() const noexcept { return *block_; }
  void rethrow() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  union {
    CoroutineBlock* block_;
    CoroutineFrame* nextDiscarded_;
  };
  std::coroutine_handle<> caller_;  ///< in a discarded frame: its own coroutine
  std::exception_ptr error_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
