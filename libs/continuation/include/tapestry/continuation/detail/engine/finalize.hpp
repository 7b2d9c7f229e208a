// Declares finalizeStop, cancelHolding and dropHeld, which run finalizers masked while a stop waits,
// enterMask and HeldValue, a value that waits in a frame.
#pragma once

#include <cstddef>
#include <utility>

#include "tapestry/continuation/detail/engine/program.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A value that waits in a frame for a finalizer or for another value.
template <class A>
struct HeldValue final : Node {
  explicit HeldValue(A held) : value(std::move(held)) {}
  A value;
};

void enterNewMask(Run& run);

/// Masks the run until everything above has been left; has no effect under a mask.
inline void enterMask(Run& run) {
  if (&run.stopState() != &StopState::never()) enterNewMask(run);
}

/// Takes the run's stop, runs the finalizer (a program that yields Errors), and continues stopping with
/// its errors added.
void finalizeStop(Run& run, Ref<const ProgramNode> finalizer);

/// Stops the run as cancelled, or, for an Abandonable value, with the value's errors and its finalizer.
template <class A>
void cancelHolding(Run& run, [[maybe_unused]] A value) {
  if constexpr (Abandonable<A>) {
    run.stop(value.errors());
    finalizeStop(run, value.abandon().node());
  } else {
    run.stop(Errors());
  }
}

/// The function that unwinds a frame with a held value: an Abandonable value adds its errors, before those of
/// the stop, and its finalizer. Null for other values.
template <class A>
inline constexpr std::nullptr_t dropHeld = nullptr;
template <Abandonable A>
inline constexpr auto dropHeld<A> = [](HeldValue<A>& held, Run& run) {
  Errors errors = held.value.errors();
  errors.append(run.takeStop());
  run.stop(std::move(errors));
  finalizeStop(run, held.value.abandon().node());
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
