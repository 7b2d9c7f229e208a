// Defines Outcome, how a run ended: with a value, an error, or cancelled.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/continuation/monad/detail/call.hpp"
#include "tapestry/continuation/monad/detail/value_box.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/continuation/monad/unit.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The argument of onComplete's callback: exactly one of a value, an error, and cancelled. Its moves never
/// throw; an A whose move may throw is kept in a separate allocation.
template <class A>
class [[nodiscard("an Outcome may hold an error")]] Outcome {
 public:
  /// Throws if moving the value throws.
  static Outcome value(Stored<A> value) {
    Outcome outcome;
    outcome.value_.emplace(std::move(value));
    return outcome;
  }
  /// Precondition: not null.
  static Outcome error(std::exception_ptr error) {
    Outcome outcome;
    outcome.error_ = std::move(error);
    return outcome;
  }
  /// Neither value nor error.
  static Outcome cancelled() { return Outcome(); }

  bool hasValue() const noexcept { return value_.has_value(); }
  bool hasError() const noexcept { return error_ != nullptr; }
  bool isCancelled() const noexcept { return !hasValue() && !hasError(); }

  /// Precondition: hasValue().
  const Stored<A>& get() const& noexcept { return *value_; }
  Stored<A>& get() & noexcept { return *value_; }
  Stored<A>&& get() && noexcept { return std::move(*value_); }
  /// Null unless hasError().
  const std::exception_ptr& error() const noexcept { return error_; }

  /// Returns the value, or throws the error, or throws Cancelled.
  A valueOrThrow() && {
    if (error_) std::rethrow_exception(error_);
    if (!hasValue()) throw Cancelled();
    if constexpr (!std::is_void_v<A>) return std::move(*value_);
  }

 private:
  Outcome() = default;

  detail::ValueBox<Stored<A>> value_;
  std::exception_ptr error_;
};

}  // namespace tapestry
#pragma GCC visibility pop
