// Defines Mode, whether layers such as dropout and batch normalisation train or predict, with currentMode,
// which reads it, and inMode, which sets it.
#pragma once

#include <cstdint>

#include "tapestry/raii/local.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Whether a pass trains or predicts.
enum class Mode : std::uint8_t { train, predict };

namespace detail {

/// The mode that passes take when they are opened; if none is set, it depends on the kind of the pass.
struct ModeSlot {
  using Type = Mode;
  static Type initial() noexcept { return Mode::train; }
};

}  // namespace detail

/// Yields the mode of the pass: train in passes of `train`, `gradients` and `withPass`, predict in passes of
/// `predict`, unless inMode sets another. Fails with NoPass outside a pass. A layer that differs between the
/// modes:
///   TensorLayer(currentMode().flatMap([=](Mode mode) { return forward(mode == Mode::train ? a : b); }))
[[nodiscard]] Do<Mode> currentMode();

/// Returns the program with all passes that it opens in the mode: inMode(Mode::predict, gradients(loss))
/// yields the gradients without dropout.
template <class A>
[[nodiscard]] Do<A> inMode(Mode mode, const Do<A>& program) {
  return local<detail::ModeSlot>(mode, program);
}

void inMode(...) = delete;  // expected a Mode, and a Do, such as gradients(loss)

}  // namespace tapestry
#pragma GCC visibility pop
