// Defines now, the program that yields a given value.
#pragma once

#include <concepts>

#include "tapestry/continuation/detail/program_operations.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class A>
class [[nodiscard("a program does nothing until it is run")]] Now : public ProgramOperations<Now<A>> {
 public:
  using ValueType = A;

  explicit Now(Stored<A> value, Location location = {}) : value_(std::move(value)), location_(location) {}

  Stored<A> eval() const { return copyNoThrow<Stored<A>>("now", location_, value_); }
  void step(Run& run, Keeper) const { stepAtOnce(*this, run); }

 private:
  using Where = std::conditional_t<std::is_nothrow_copy_constructible_v<Stored<A>>, Nowhere, Location>;

  Stored<A> value_;
  [[no_unique_address]] Where location_;
};

}  // namespace detail

/// Yields a copy of the value in every run ("pure", "just"). Create a move-only value in each run with
/// `delay`.
template <std::copy_constructible A>
[[nodiscard("a program does nothing until it is run")]] auto now(
    A value, detail::Location location = detail::Location::current()) {
  return detail::Now<A>(std::move(value), location);
}

/// Yields void.
[[nodiscard("a program does nothing until it is run")]] inline auto now() {
  return detail::Now<void>(Unit{});
}

template <class = void>
void now(detail::AnyArgument) = delete;  // expected a value that runs can copy; delay makes one afresh

}  // namespace tapestry
#pragma GCC visibility pop
