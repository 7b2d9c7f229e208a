// Defines runPass, which evaluates a program in a separate pass.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "tapestry/deeplearning/clip_by_global_norm.hpp"
#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/detail/pass/with_slot.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// What a pass is opened for. A part of another pass reads the values of weights that the whole pass has
/// read, and draws from the whole pass's seed and the number of the part. An exchange gets the gradients of
/// the pass.
struct PassOptions {
  PassKind kind = PassKind::accumulating;
  Ref<Pass> whole = nullptr;
  std::uint64_t part = 0;
  std::shared_ptr<extend::Exchange> exchange = nullptr;
};

/// Opens a pass, in the mode and with the seed that the environment sets, as a resource: at the end of its
/// scope it is closed, if it is still open, and ended.
Do<Ref<Pass>> openPass(PassOptions options);

/// Adds the weights' deltas of the part, which is closed, to their deltas of the whole pass.
Do<void> handOver(Pass& part, Pass& whole);

// The pass must live until the programs below have run, as it does in the scope of the program that opened
// it.

/// Lets the deltas flow back from all pending nodes; fails with the first error of the backward computation.
Do<void> closePass(Pass& pass);

/// Takes one step for each touched weight, on gradients that are multiplied by `share`, then clipped together
/// if a limit is given: all steps are prepared, then all are committed. Fails with the first error of a
/// preparation; then nothing has changed. A pass with an exchange takes its steps if all passes of the
/// exchange agree.
Do<void> commitPass(Pass& pass, std::optional<ClipByGlobalNorm> clip = std::nullopt, double share = 1);

/// Throws std::invalid_argument for a loss of several elements if the pass checks its loss.
void checkLossShape(const Pass& pass, const Shape& loss);
template <bool observes, class V>
void checkLossOf(const Pass& pass, const V& values) {
  if constexpr (observes)
    checkLossOf<false>(pass, std::get<0>(values));
  else if constexpr (isTensor<V>)
    checkLossShape(pass, values.shape());
}

/// Yields the pass of the run. Fails with NoPass if there is none.
Do<Ref<Pass>> currentPass();

/// Runs the program in the pass and releases its tapes.
template <class A>
Do<A> withinPass(Ref<Pass> pass, Do<A> program) {
  return withSlot<PassSlot>(std::move(pass), std::move(program)).run();
}

/// Opens a pass, runs the program in it, closes it, continues with finish(pass, value), and ends it.
template <class A, class F>
auto runPass(PassKind kind, Do<A> program, F finish) {
  return openPass({.kind = kind})
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
#pragma GCC visibility pop
