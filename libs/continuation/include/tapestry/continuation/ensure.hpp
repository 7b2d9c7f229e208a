// Defines ensure and onStop, which run a finalizer when a program ends.
#pragma once

#include <type_traits>
#include <utility>

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The finalizer yields an E: Errors, to run only if the program is stopped, or void, to run in any case.
template <class P, class E>
class [[nodiscard("a program does nothing until it is run")]] Finalized
    : public ProgramOperations<Finalized<P, E>> {
 public:
  using ValueType = typename P::ValueType;

  Finalized(P program, UnitContinuation<E> finalizer)
      : program_(std::move(program)), finalizer_(std::move(finalizer)) {}

  void step(Run& run, Keeper keeper) const {
    if constexpr (std::is_void_v<E>)
      run.push<&Finalized::finalizeValue, &Finalized::unwind>(this, std::move(keeper));
    else
      run.push<nullptr, &Finalized::unwind>(this, std::move(keeper));
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
    if constexpr (std::is_void_v<E>)
      finalizeStop(run, UnitContinuation<Errors>(finalizer_.map([] { return Errors(); })).node());
    else
      finalizeStop(run, finalizer_.node());
  }

  P program_;
  UnitContinuation<E> finalizer_;
};

}  // namespace detail

/// Runs the finalizer, masked, after the program, whether the program yields a value or is stopped.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto ensure(P program,
                                                                    UnitContinuation<void> finalizer) {
  return detail::Finalized<P, void>(std::move(program), std::move(finalizer));
}

void ensure(...) = delete;  // expected a program and a finalizer, a program of void; for a Do raii/ensure.hpp

/// Runs the finalizer, masked, only if the program is stopped; adds the finalizer's errors to the errors of
/// the stop.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto onStop(P program,
                                                                    UnitContinuation<Errors> finalizer) {
  return detail::Finalized<P, Errors>(std::move(program), std::move(finalizer));
}

void onStop(...) = delete;  // expected a program and a finalizer that is a program of Errors

}  // namespace tapestry
#pragma GCC visibility pop
