// Defines Deferred, a value that is completed once and awaited by many runs.
#pragma once

#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/detail/completion_cell.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class A>
struct DeferredResult final : Node {
  explicit DeferredResult(Try<A> ended) noexcept : result(std::move(ended)) {}

  const Try<A> result;
};

template <class A>
class DeferredWaiter : public CompletionWaiter {
 public:
  using CompletionWaiter::CompletionWaiter;

  /// Copies the result, outside any lock.
  extend::Acquired<A> served() const {
    return {copyOf(static_cast<const DeferredResult<A>&>(this->node()).result), {}};
  }
};

}  // namespace detail

/// A value or an error that is set once, later; A may be void. Copies share the deferred. Usable from several
/// threads at once, and by runs on any executors; a waiting run blocks no thread, and continues on its own
/// executor, never inside a step of another run.
template <class A>
  requires std::is_void_v<A> || std::copy_constructible<A>
class Deferred {
 public:
  Deferred() : cell_(detail::makeRef<detail::CompletionCell>()) {}

  /// Waits until this is complete, and yields a copy of the value, or fails with the error. A request to stop
  /// ends the wait, unless masked.
  [[nodiscard("a program does nothing until it is run")]] Do<A> get(
      detail::Location location = detail::Location::current()) const {
    return extend::waitFor<A, detail::DeferredWaiter<A>>(cell_, "Deferred::get", location);
  }

  /// Completes this with the value, also from a thread without runs; false, and the value is dropped, if it
  /// was complete before. Throws the exceptions of moving the value.
  bool complete(Stored<A> value) const
    requires(!std::is_void_v<A>)
  {
    return settle(Try<A>::success(std::move(value)));
  }
  bool complete() const
    requires std::is_void_v<A>
  {
    return settle(Try<A>::success(Unit{}));
  }
  /// As complete, with an error.
  bool fail(std::exception_ptr error) const { return settle(Try<A>::failure(std::move(error))); }
  /// As above, with a copy of the exception.
  template <std::derived_from<std::exception> E>
  bool fail(E error) const {
    return fail(std::make_exception_ptr(std::move(error)));
  }
  void fail(...) const = delete;  // expected a std::exception_ptr or a std::exception

  /// Whether this is complete; a false may be outdated on return.
  bool isComplete() const noexcept { return cell_->isComplete(); }

 private:
  bool settle(Try<A> result) const {
    return cell_->complete(detail::makeRef<const detail::DeferredResult<A>>(std::move(result)));
  }

  detail::Ref<detail::CompletionCell> cell_;
};

}  // namespace tapestry
#pragma GCC visibility pop
