// Defines CoroutineBlock, one execution of a block of direct style: a user's coroutine, inside a run; and
// CoroutineAwait and CoroutineCall, with which it awaits a program, or another coroutine.
#pragma once

#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/awaitable.hpp"
#include "tapestry/continuation/detail/stoppable_block.hpp"
#include "tapestry/continuation/monad/detail/at.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class Coroutine;

}  // namespace tapestry

namespace tapestry::detail {

/// Resumes its coroutine, and the coroutines that this awaits in turn, from a frame of its run, one after the
/// other and never nested, so as not to depend on a compiler's tail calls between coroutines.
class CoroutineBlock : public StoppableBlock {
 public:
  /// Called in the program's step, which gives its reference to the block away.
  void begin(Run& run) { beginIn<CoroutineBlock>(run); }

  // ---- for awaits, in a coroutine of the block

  /// Called before the coroutine continues. Throws the failure of the await for which it was suspended, or
  /// else Cancelled if the run is asked to stop.
  void checkBefore() {
    rethrowFailure();
    StoppableBlock::checkBefore();
  }
  void checkAfter() {
    rethrowFailure();
    StoppableBlock::checkAfter();
  }
  void rethrowFailure(const At& place = {}) {
    if (failure_) std::rethrow_exception(place(std::exchange(failure_, nullptr)));
  }

  /// Called as a coroutine is suspended: lets the run execute the program, then call awaiter.settle(value),
  /// and then resume the coroutine, which keeps both alive.
  template <class Awaiter, Program P>
  void suspendFor(Awaiter& awaiter, const P& program, std::coroutine_handle<> waiting) noexcept {
    using A = Stored<typename P::ValueType>;
    struct Settle {
      static void resume(CoroutineBlock& block) {
        static_cast<Awaiter*>(block.awaiter_)->settle([&block] { return block.run().template take<A>(); });
        block.proceed();
      }
    };
    awaiter_ = &awaiter;
    waiting_ = waiting;
    pushResume<CoroutineBlock, A, Settle>();
    run().takeStep(&program, stepBorrowed<P>);
  }

  /// Sets the error to be thrown in the coroutine that is resumed next.
  void fail(std::exception_ptr failure) noexcept { failure_ = std::move(failure); }
  /// Called when an expression with awaits is over: another part of it may have thrown before the awaits
  /// could.
  void forgetFailure() noexcept {
    if (failure_) failure_ = nullptr;
  }

  /// Called as a coroutine is suspended: sets the coroutine to continue with; null when the last one has
  /// ended.
  void goOnWith(std::coroutine_handle<> next) noexcept { next_ = next; }

 protected:
  using StoppableBlock::StoppableBlock;

  /// Calls the user's function; returns the coroutine to begin with, or null if there is none.
  virtual std::coroutine_handle<> start() noexcept = 0;

 private:
  friend class StoppableBlock;

  void proceed();
  void goOn();

  bool started_ = false;
  void* awaiter_ = nullptr;
  std::coroutine_handle<> next_;
  std::coroutine_handle<> waiting_;  ///< for a program; null when the last coroutine has ended
  std::exception_ptr failure_;
};

/// Whether an object of the type can be in the frame of a coroutine, which a compiler allocates without
/// regard to the alignment of the objects in it.
template <class T>
inline constexpr bool fitsFrame = alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;

/// Lives in the frame of the coroutine and keeps the state of the await that is not in the awaited object.
///
/// g++ calls `await_resume` only when all awaits of an expression are complete, and not in their order. So
/// the value is taken as soon as it is there, and `await_resume` just returns it; and if taking it failed,
/// the next await of the expression throws the error instead of beginning.
template <class T>
class CoroutineAwait {
  using Way = Await<AwaitedProgram<T>>;
  using Executed = std::remove_cvref_t<decltype(Way::program(std::declval<const AwaitedProgram<T>&>()))>;
  using A = typename AwaitedProgram<T>::ValueType;

  /// A program that yields at once need not suspend the coroutine, and a value that may be dropped need not
  /// be in the run.
  static constexpr bool atOnce = SyncProgram<Executed> && !Abandonable<Stored<typename Executed::ValueType>>;

 public:
  CoroutineAwait(CoroutineBlock& block, const T& awaitable, const Location& location)
      : block_(block),
        scope_(Way::scope(block)),
        program_(ToProgram<T>::of(awaitable, location)),
        location_(location) {
    static_assert(fitsFrame<CoroutineAwait>,
                  "tapestry::Coroutine: got an awaited value or program of larger "
                  "alignment than operator new has, expected a pointer to it");
  }
  CoroutineAwait(const CoroutineAwait&) = delete;
  ~CoroutineAwait() { block_.forgetFailure(); }

  bool await_ready() {
    block_.checkBefore();
    if constexpr (atOnce) {
      if (!Run::countStep()) return false;  // other tasks have their turn first
      take([this] { return Way::program(program_).eval(); });
      block_.checkBefore();
    }
    return atOnce;
  }
  void await_suspend(std::coroutine_handle<> waiting) noexcept {
    block_.suspendFor(*this, Way::program(program_), waiting);
  }
  A await_resume() {
    block_.checkAfter();
    if constexpr (!std::is_void_v<A>) return *std::move(value_);
  }

  /// Called before the coroutine is resumed.
  template <class Take>
  void settle(const Take& taken) noexcept {
    try {
      take(taken);
    } catch (...) {
      block_.fail(std::current_exception());
    }
  }

 private:
  template <class Take>
  void take(const Take& taken) {
    if constexpr (std::is_void_v<A>)
      Way::value(scope_, taken, location_);
    else
      value_.emplace(Way::value(scope_, taken, location_));
  }

  CoroutineBlock& block_;
  decltype(Way::scope(std::declval<StoppableBlock&>())) scope_;
  decltype(ToProgram<T>::of(std::declval<const T&>(), Location())) program_;
  Location location_;
  std::optional<Stored<A>> value_;
};

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

}  // namespace tapestry::detail
#pragma GCC visibility pop
