// Defines CoroutineAwait, how a coroutine of direct style awaits a program.
#pragma once

#include "tapestry/continuation/detail/awaitable.hpp"
#include "tapestry/continuation/detail/coroutine_block.hpp"

namespace tapestry::detail {

/// Lives in the frame of the coroutine, and keeps there what is not in the awaited object itself.
template <class T>
class CoroutineAwait {
  using Way = Await<AwaitedProgram<T>>;
  using Run = std::remove_cvref_t<decltype(Way::program(std::declval<const AwaitedProgram<T>&>()))>;
  using A = Stored<typename Run::ValueType>;

  /// What yields at once need not suspend the coroutine, and a value that may be dropped need not be in the
  /// run.
  static constexpr bool atOnce = SyncProgram<Run> && !Abandonable<A>;

 public:
  CoroutineAwait(CoroutineBlock& block, const T& awaitable)
      : block_(block), scope_(Way::scope(block)), program_(ToProgram<T>::of(awaitable)) {}

  bool await_ready() const {
    block_.checkBefore();
    return atOnce;
  }
  void await_suspend(std::coroutine_handle<> waiting) const noexcept {
    block_.suspendFor(Way::program(program_), waiting);
  }
  decltype(auto) await_resume() const {
    return Way::value(scope_, [this] { return take(); });
  }

 private:
  A take() const {
    if constexpr (atOnce) {
      A value = Way::program(program_).eval();
      block_.checkBefore();
      return value;
    } else {
      block_.checkAfter();
      return block_.template take<A>();
    }
  }

  CoroutineBlock& block_;
  decltype(Way::scope(std::declval<StoppableBlock&>())) scope_;
  decltype(ToProgram<T>::of(std::declval<const T&>())) program_;
};

}  // namespace tapestry::detail
