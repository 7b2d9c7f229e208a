// Defines Try, a value or an error.
#pragma once

#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/extend/function.hpp"
#include "tapestry/continuation/extend/trace.hpp"
#include "tapestry/continuation/monad/errors.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The value or the error of a step of Do, as `attempt` yields it. A move takes O(1) and does not throw, even
/// if moving an A may throw; such an A is kept in a separate memory block. Copyable if A is.
template <class A>
class [[nodiscard("a Try may hold an error")]] Try {
 public:
  using ValueType = A;

  /// Holds the value.
  static Try success(Stored<A> value) {
    Try result;
    result.value_.emplace(std::move(value));
    return result;
  }
  /// A null pointer becomes a std::invalid_argument.
  static Try failure(std::exception_ptr error) noexcept {
    Try result;
    result.error_ = error ? std::move(error) : nullError();
    return result;
  }

  /// The value that the function returns, or the error that it throws, with the place in its trace. The value
  /// is not moved if moving it may throw.
  template <class F>
  static Try of(const F& function, const extend::At& place = {}) noexcept {
    try {
      if constexpr (std::is_void_v<A>) {
        function();
        return success(Unit{});
      } else if constexpr (std::is_nothrow_move_constructible_v<A>) {
        return success(function());
      } else {
        Try result;
        result.value_.emplaceResultOf([&]() -> A { return function(); });
        return result;
      }
    } catch (...) {
      return failure(place(std::current_exception()));
    }
  }

  bool hasValue() const noexcept { return value_.has_value(); }

  /// Precondition: hasValue().
  const Stored<A>& get() const& noexcept { return *value_; }
  Stored<A>& get() & noexcept { return *value_; }
  Stored<A>&& get() && noexcept { return std::move(*value_); }

  /// Null if hasValue().
  const std::exception_ptr& error() const& noexcept { return error_; }
  std::exception_ptr error() && noexcept { return std::move(error_); }

  /// The box with the value, which is not moved if moving it may throw. Precondition: hasValue().
  detail::ValueBox<Stored<A>> takeBox() && noexcept { return std::move(value_); }

  /// Returns the value, or throws the error.
  A valueOrThrow() && {
    if (error_) std::rethrow_exception(error_);
    if constexpr (!std::is_void_v<A>) return std::move(*value_);
  }

  /// Adds errors of a release: they replace a value, and follow an earlier error.
  void absorb(const Errors& errors) {
    if (errors.empty()) return;
    Errors all = error_ ? Errors(error_) : Errors();
    all.append(errors);
    value_.reset();
    error_ = all.toException();
  }

 private:
  Try() noexcept = default;

  static std::exception_ptr nullError() noexcept {
    return std::make_exception_ptr(
        std::invalid_argument("tapestry::Try::failure: got a null exception_ptr, expected an error"));
  }

  detail::ValueBox<Stored<A>> value_;
  std::exception_ptr error_;
};

namespace detail {

/// A copy; a failure if copying the value throws.
template <class A>
Try<A> copyOf(const Try<A>& original) noexcept {
  if (!original.hasValue()) return Try<A>::failure(original.error());
  return Try<A>::of([&]() -> A {
    if constexpr (!std::is_void_v<A>) return original.get();
  });
}

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
