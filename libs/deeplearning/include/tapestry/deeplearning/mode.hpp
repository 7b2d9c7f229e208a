// Defines Mode, whether layers such as dropout and batch normalisation train or predict, and how a program
// asks for it (currentMode) and sets it (inMode).
#pragma once

#include <cstdint>

#include "tapestry/deeplearning/detail/pass/with_slot.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

enum class Mode : std::uint8_t { train, predict };

namespace detail {

/// The mode that passes take when they are opened; if none is set, what opens the pass decides.
struct ModeSlot {
  using Type = Mode;
  static Type initial() noexcept { return Mode::train; }
};

}  // namespace detail

/// The mode of the pass: train in that of `train`, `gradients` and `withPass`, predict in that of `predict`,
/// unless inMode says otherwise. Fails with NoPass outside a pass. A layer that differs in the two:
///   TensorLayer(currentMode().flatMap([=](Mode mode) { return forward(mode == Mode::train ? a : b); }))
[[nodiscard]] Do<Mode> currentMode();

/// The program, with all passes that it opens in the mode: inMode(Mode::predict, gradients(loss)) gives the
/// gradients without dropout.
template <class A>
[[nodiscard]] Do<A> inMode(Mode mode, const Do<A>& program) {
  return detail::withSlot<detail::ModeSlot>(mode, program);
}

void inMode(...) = delete;  // expected a Mode, and a Do, such as gradients(loss)

}  // namespace tapestry
