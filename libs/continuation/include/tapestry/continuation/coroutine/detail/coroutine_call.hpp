// Defines CoroutineCall, with which a coroutine of direct style awaits another coroutine.
#pragma once

#include <coroutine>
#include <utility>

#include "tapestry/continuation/coroutine/detail/coroutine_block.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class Coroutine;

namespace detail {

/// The awaited coroutine runs in place of its caller, and is destroyed with the expression that awaits it.
template <class B>
class CoroutineCall {
 public:
  CoroutineCall(CoroutineBlock& block, Coroutine<B> callee, const Location& location) noexcept
      : block_(block), callee_(std::move(callee)), location_(location) {}
  CoroutineCall(const CoroutineCall&) = delete;
  ~CoroutineCall() { block_.forgetFailure(); }

  bool await_ready() const {
    block_.checkBefore();
    return false;
  }
  void await_suspend(std::coroutine_handle<> caller) { block_.goOnWith(callee_.begin(block_, caller)); }
  B await_resume() {
    block_.rethrowFailure({"co_await", location_});
    return callee_.result();
  }

 private:
  CoroutineBlock& block_;
  Coroutine<B> callee_;
  Location location_;
};

}  // namespace detail
}  // namespace tapestry
#pragma GCC visibility pop
