// Defines Coroutine, the return type of blocks of direct style, and of their subroutines, that use co_await.
#pragma once

// included first, so that compiler messages about this header show no chain of includes
#include "tapestry/continuation/parallel/tuple2.hpp"
//
#include <coroutine>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "tapestry/continuation/coroutine/detail/coroutine_promise.hpp"
#include "tapestry/continuation/direct_style.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// direct<UnitContinuation>([=]() -> Coroutine<A> { ... co_return x; }) is a UnitContinuation<A>. In it,
/// `co_await` accepts the arguments of tapestry::await on a fiber: a program, which gives its value; a
/// std::tuple or std::pair of such arguments, which run in parallel; and an object with a function
/// toProgram(x). It also accepts another Coroutine<B>, a subroutine, which is called at once, in the same
/// block, to any depth; its exceptions are thrown from the co_await. And it accepts an awaitable of another
/// library that works in coroutines of any type: the run waits until the awaitable resumes the handle that it
/// was given, and continues on its own executor. A request to stop is seen only after such a wait, which
/// cannot be interrupted.
///
/// A Coroutine does nothing until it is awaited, or returned to `direct`, and runs once. Like a function it
/// belongs to no monad: awaiting a Do in a block that cannot fail throws std::logic_error. A coroutine may
/// continue on another thread after each co_await.
///
/// Parameters should be taken by value: objects taken by reference must outlive the coroutine. Compilers
/// place the variables of a coroutine in memory from operator new, so a variable must not have a larger
/// alignment than that memory.
///
/// With g++ 12: an expression is evaluated only when all its awaits are complete, so that `f(co_await a) +
/// co_await b` calls f after the await of b. And in an expression that contains a co_await, the compiler
/// destroys three kinds of temporary objects twice, without a warning: the object that a conditional operator
/// chooses, an aggregate, and a lambda that captures by copy. (Lvalues, objects with a trivial destructor,
/// and Coroutines are not affected.) Name such an object in a statement before:
///
///     co_await f(c ? one(1) : one(2));         // destroyed twice
///     const auto chosen = c ? one(1) : one(2);
///     co_await f(chosen);                      // right
///     !f(c ? one(1) : one(2));                 // right: on a fiber, where nothing is affected
///
/// scripts/check_awaits finds such expressions.
///
/// Cost: one allocation from a pool for each coroutine, none for an await itself.
template <class A>
class [[nodiscard("a Coroutine does nothing until it is awaited")]] Coroutine {
 public:
  using ValueType = A;
  using promise_type = detail::CoroutinePromise<A>;

  Coroutine(Coroutine&& other) noexcept : handle_(std::exchange(other.self_->handle_, nullptr)) {}
  Coroutine& operator=(Coroutine other) noexcept {
    std::swap(handle_, other.self_->handle_);
    return *this;
  }
  ~Coroutine() {
    if (!handle_ || self_ != this) return;
    if (handle_.done())
      handle_.destroy();
    else
      handle_.promise().discard(handle_);
  }

 private:
  using Handle = std::coroutine_handle<promise_type>;
  friend promise_type;
  template <class B>
  friend class detail::CoroutineCall;
  template <class F>
  friend class detail::CoroutineCarrier;

  explicit Coroutine(Handle handle) noexcept : handle_(handle) {}

  /// Returns the handle whose resumption begins the coroutine in the block; the caller is resumed when it has
  /// ended.
  std::coroutine_handle<> begin(detail::CoroutineBlock& block, std::coroutine_handle<> caller) const {
    if (!handle_)
      throw std::logic_error(
          "tapestry::Coroutine: awaited after it was moved from, expected a Coroutine that was not moved "
          "from");
    handle_.promise().begin(block, caller);
    return handle_;
  }
  A result() const { return handle_.promise().result(); }

  Handle handle_;
  /// If this is not the address of this object, g++ 12 has copied the bytes of the object at that address and
  /// destroys both objects: only the original owns the handle.
  Coroutine* const self_ = this;
};

namespace detail {

inline Coroutine<void> CoroutinePromise<void>::get_return_object() noexcept {
  return Coroutine<void>(std::coroutine_handle<CoroutinePromise>::from_promise(*this));
}

/// A block that returns a Coroutine. The function's captures stay in the program, which lives as long as its
/// runs.
template <class F>
class CoroutineCarrier : public CoroutineBlock {
 public:
  using Function = F;
  using Result = typename ResultOf<F, void>::ValueType;

 protected:
  CoroutineCarrier(BlockScope* scope, const F& function) noexcept
      : CoroutineBlock(scope), function_(function) {}

  Stored<Result> result() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    return call<void>([this] { return coroutine_->result(); }, Unit{});
  }

 private:
  std::coroutine_handle<> start() noexcept override {
    try {
      coroutine_.emplace(function_());
      return coroutine_->begin(*this, nullptr);
    } catch (...) {
      thrown_ = std::current_exception();
      return nullptr;
    }
  }

  const F& function_;
  std::optional<Coroutine<Result>> coroutine_;
  std::exception_ptr thrown_;  ///< by the function, which then made no coroutine
};

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
