// Defines async, the program that waits for a callback, and Callback, which resumes it.
#pragma once

#include "tapestry/continuation/detail/engine/completion.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Gives an `async` program its value. The first call, on any thread, counts, and the run continues on that
/// thread. Later calls, and calls after the run was stopped, have no effect. When the last copy is destroyed
/// without a call, the run is stopped with BrokenCallback.
template <class A>
class Callback {
 public:
  explicit Callback(detail::Ref<detail::Completion> completion) noexcept
      : completion_(std::move(completion)) {}
  Callback(const Callback& other) noexcept : completion_(other.completion_) {
    if (completion_) completion_->addHandle();
  }
  Callback(Callback&& other) noexcept = default;
  Callback& operator=(Callback other) noexcept {
    std::swap(completion_, other.completion_);
    return *this;
  }
  ~Callback() {
    if (completion_) completion_->dropHandle();
  }

  void operator()(Stored<A> value) const
    requires(!std::is_void_v<A>)
  {
    complete(std::move(value));
  }
  void operator()() const
    requires(std::is_void_v<A>)
  {
    complete(Unit{});
  }

 private:
  /// A call that has claimed the run must give it a value, so moving the value must not throw.
  void complete(Stored<A> value) const noexcept {
    if (!completion_->claim()) return;
    completion_->run().put<Stored<A>>(std::move(value));
    completion_->complete();
  }

  detail::Ref<detail::Completion> completion_;
};

namespace detail {

template <class A, class F>
class [[nodiscard("a program does nothing until it is run")]] Async : public ProgramOperations<Async<A, F>> {
 public:
  using ValueType = A;

  Async(F registration, Location location) : registration_(std::move(registration)), location_(location) {}

  void step(Run& run, Keeper) const {
    if (run.stopIfRequested()) return;
    callNoThrow<Callback<A>>("async", location_, registration_,
                             Callback<A>(Completion::parkAt(run, {"async", location_})));
  }

 private:
  F registration_;
  Location location_;
};

}  // namespace detail

/// Calls registration(Callback<A>) in every run and waits until the callback is called. The registration must
/// not throw.
///
/// A request to stop ends the wait: the run stops, on its executor, and a later call has no effect. Therefore
/// the operation that makes the call must not use objects of the run. If it does, use `mask`, so that the run
/// waits for the call; if it can be cancelled, cancel it in a finalizer of `ensure` or `onStop`.
template <class A, class F>
  requires std::invocable<const F&, Callback<A>>
[[nodiscard("a program does nothing until it is run")]] auto async(
    F registration, detail::Location location = detail::Location::current()) {
  return detail::Async<A, F>(std::move(registration), location);
}

template <class...>
void async(...) = delete;  // expected async<A>(f), where f accepts a Callback<A>, const, not mutable

}  // namespace tapestry
#pragma GCC visibility pop
