// Defines delay, the program that calls a function when it is run.
#pragma once

#include "tapestry/continuation/detail/program_operations.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class F, class Where = Location>
class [[nodiscard("a program does nothing until it is run")]] Delay
    : public ProgramOperations<Delay<F, Where>> {
 public:
  using ValueType = ResultOf<F, void>;

  Delay(F&& function, Location location) : function_(std::move(function)), location_(location) {}

  Stored<ValueType> eval() const { return callNoThrow<void>("delay", location_, function_, Unit{}); }
  void step(Run& run, Keeper) const { stepAtOnce(*this, run); }

 private:
  F function_;
  [[no_unique_address]] Where location_;
};

}  // namespace detail

/// Calls the function in every run, on the run's thread, and yields its result. The function must not throw.
template <class F>
  requires std::invocable<const F&>
[[nodiscard("a program does nothing until it is run")]] auto delay(
    F function, detail::Location location = detail::Location::current()) {
  return detail::Delay<F>(std::move(function), location);
}

void delay(...) = delete;  // expected a function that takes no argument, f(), const, not mutable

}  // namespace tapestry
#pragma GCC visibility pop
