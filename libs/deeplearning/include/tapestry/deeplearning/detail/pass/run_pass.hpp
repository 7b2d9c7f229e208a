// Defines runPass, how a program is evaluated in a pass of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "tapestry/deeplearning/clip_by_global_norm.hpp"
#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/detail/pass/with_slot.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/tensor/shape.hpp"

namespace tapestry::detail {

/// A new pass, in the mode and with the seed that the environment sets, as a resource: at the end of its
/// scope it is closed, if it was not, and ended.
Do<Ref<Pass>> openPass(PassKind kind);

/// A new pass that is a part of another: it reads the weights as that one has, and draws from its seed and
/// the number of the part.
Do<Ref<Pass>> openPart(const Ref<Pass>& whole, std::uint64_t part);

/// Adds what the weights got in the part, which is closed, to what they got in the whole pass.
Do<void> handOver(Pass& part, Pass& whole);

// The pass of these must live until they have run, as it does in the scope of the program that opened it.

/// Lets the deltas flow back from all that is pending; fails with the first error of the way back.
Do<void> closePass(Pass& pass);

/// One step for each weight that was touched, on gradients that are multiplied by `share`, then clipped, if
/// at all, together: all steps are prepared, then all are committed. Fails with the first error of a
/// preparation; then nothing has changed.
Do<void> commitPass(Pass& pass, std::optional<ClipByGlobalNorm> clip = std::nullopt, double share = 1);

/// Throws std::invalid_argument for a loss of several elements, where the pass checks its loss.
void checkLossShape(const Pass& pass, const Shape& loss);
template <bool observes, class V>
void checkLossOf(const Pass& pass, const V& values) {
  if constexpr (observes)
    checkLossOf<false>(pass, std::get<0>(values));
  else if constexpr (isTensor<V>)
    checkLossShape(pass, values.shape());
}

/// The pass of the run. Fails with NoPass if there is none.
Do<Ref<Pass>> currentPass();

/// The program, in the pass, with its tapes released.
template <class A>
Do<A> withinPass(Ref<Pass> pass, Do<A> program) {
  return withSlot<PassSlot>(std::move(pass), std::move(program)).run();
}

/// Opens a pass, runs the program in it, closes it, goes on with finish(pass, value), and ends it.
template <class A, class F>
auto runPass(PassKind kind, Do<A> program, F finish) {
  return openPass(kind)
      .flatMap([program = std::move(program), finish = std::move(finish)](Ref<Pass> opened) {
        Pass& pass = *opened;  // until the end of the scope
        return withinPass(std::move(opened), program).flatMap([&pass, finish = finish](Stored<A> value) {
          return closePass(pass).flatMap(
              [&pass, finish = finish, value = std::move(value)] { return finish(pass, value); });
        });
      })
      .run();
}

}  // namespace tapestry::detail
