// Defines ensure and onStop, which run a finalizer when a program ends.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class P>
class [[nodiscard("a program does nothing until it is run")]] OnStop : public ProgramOperations<OnStop<P>> {
 public:
  using ValueType = typename P::ValueType;

  OnStop(P program, UnitContinuation<Errors> finalizer)
      : program_(std::move(program)), finalizer_(std::move(finalizer)) {}

  void step(Run& run, Keeper keeper) const {
    run.push<nullptr, &OnStop::unwind>(this, std::move(keeper));
    program_.step(run, {});
  }

 protected:
  void unwind(Run& run) const { finalizeStop(run, finalizer_.node()); }

  P program_;
  UnitContinuation<Errors> finalizer_;
};

template <class P>
class [[nodiscard("a program does nothing until it is run")]] Ensure : public ProgramOperations<Ensure<P>> {
 public:
  using ValueType = typename P::ValueType;

  Ensure(P program, UnitContinuation<void> finalizer)
      : program_(std::move(program)), finalizer_(std::move(finalizer)) {}

  void step(Run& run, Keeper keeper) const {
    run.push<&Ensure::finalizeValue, &Ensure::unwind>(this, std::move(keeper));
    program_.step(run, {});
  }

 private:
  void finalizeValue(Run& run) const {
    using Held = HeldValue<Stored<ValueType>>;
    constexpr auto restore = [](Held& held, Run& r) {
      r.take<Unit>();
      r.put<Stored<ValueType>>(std::move(held.value));
    };
    run.push<restore, dropHeld<Stored<ValueType>>>(makeRef<Held>(run.take<Stored<ValueType>>()));
    enterMask(run);
    run.next(finalizer_.node());
  }

  void unwind(Run& run) const {
    finalizeStop(run, UnitContinuation<Errors>(finalizer_.map([] { return Errors(); })).node());
  }

  P program_;
  UnitContinuation<void> finalizer_;
};

}  // namespace detail

/// Runs the finalizer, masked, after the program, whether the program yields a value or is stopped.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto ensure(P program,
                                                                    UnitContinuation<void> finalizer) {
  return detail::Ensure<P>(std::move(program), std::move(finalizer));
}

void ensure(...) = delete;  // expected a program and a finalizer that is a program of void

/// Runs the finalizer, masked, only if the program is stopped; adds the finalizer's errors to the errors of
/// the stop.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto onStop(P program,
                                                                    UnitContinuation<Errors> finalizer) {
  return detail::OnStop<P>(std::move(program), std::move(finalizer));
}

void onStop(...) = delete;  // expected a program and a finalizer that is a program of Errors

}  // namespace tapestry
#pragma GCC visibility pop
