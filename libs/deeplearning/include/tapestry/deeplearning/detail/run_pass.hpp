// Defines runPass, how a program is evaluated in a pass of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tapestry/continuation/environment.hpp"
#include "tapestry/deeplearning/clip_by_global_norm.hpp"
#include "tapestry/deeplearning/detail/pass.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry::detail {

/// A new pass, in the mode and with the seed that the environment sets, as a resource: at the end of its
/// scope it is closed, if it was not, and ended.
Do<Ref<Pass>> openPass(PassKind kind);

/// A new pass that is a part of another: it reads the weights as that one has, and draws from its seed and
/// the number of the part.
Do<Ref<Pass>> openPart(const Ref<Pass>& whole, std::uint64_t part);

/// Adds what the weights got in the part, which is closed, to what they got in the whole pass.
Do<void> handOver(const Ref<Pass>& part, const Ref<Pass>& whole);

/// Lets the deltas flow back from all that is pending; fails with the first error of the way back.
Do<void> closePass(const Ref<Pass>& pass);

/// One step for each weight that was touched, on gradients that are multiplied by `share`, then clipped, if
/// at all, together: all steps are prepared, then all are committed. Fails with the first error of a
/// preparation; then nothing has changed.
Do<void> commitPass(const Ref<Pass>& pass, std::optional<ClipByGlobalNorm> clip = std::nullopt,
                    double share = 1);

/// The pass of the run. Fails with NoPass if there is none.
Do<Ref<Pass>> currentPass();

/// The program, in the pass, with its tapes released.
template <class A>
Do<A> withinPass(const Ref<Pass>& pass, const Do<A>& program) {
  return Do<A>(UnitContinuation<typename Do<A>::Acquired>(local<PassSlot>(pass, program.acquire()))).run();
}

/// Opens a pass, runs the program in it, closes it, goes on with finish(pass, value), and ends it.
template <class A, class F>
auto runPass(PassKind kind, const Do<A>& program, F finish) {
  return openPass(kind)
      .flatMap([program, finish = std::move(finish)](const Ref<Pass>& pass) {
        return withinPass(pass, program).flatMap([pass, finish](const Stored<A>& value) {
          return closePass(pass).flatMap([pass, finish, value] { return finish(pass, value); });
        });
      })
      .run();
}

}  // namespace tapestry::detail
