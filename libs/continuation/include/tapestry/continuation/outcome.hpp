// Defines Outcome, how a run ended: with a value, an error, or cancelled.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "tapestry/continuation/errors.hpp"
#include "tapestry/continuation/unit.hpp"

namespace tapestry {

template <class A>
class [[nodiscard]] Outcome {
 public:
  static Outcome value(Stored<A> value) {
    Outcome outcome;
    outcome.value_.emplace(std::move(value));
    return outcome;
  }
  static Outcome error(std::exception_ptr error) {
    Outcome outcome;
    outcome.error_ = std::move(error);
    return outcome;
  }
  static Outcome cancelled() { return Outcome(); }

  bool hasValue() const noexcept { return value_.has_value(); }
  bool hasError() const noexcept { return error_ != nullptr; }
  bool isCancelled() const noexcept { return !hasValue() && !hasError(); }

  /// Precondition: hasValue().
  const Stored<A>& get() const& noexcept { return *value_; }
  Stored<A>& get() & noexcept { return *value_; }
  /// Null unless hasError().
  const std::exception_ptr& error() const noexcept { return error_; }

  /// The value, or else throws the error, or else throws Cancelled.
  A valueOrThrow() && {
    if (error_) std::rethrow_exception(error_);
    if (!value_) throw Cancelled();
    if constexpr (!std::is_void_v<A>) return std::move(*value_);
  }

 private:
  Outcome() = default;

  std::optional<Stored<A>> value_;
  std::exception_ptr error_;
};

}  // namespace tapestry
