// Defines runReduced, which evaluates a program in a pass that steps together with passes elsewhere.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/continuation/stop_token.hpp"
#include "tapestry/deeplearning/clip_by_global_norm.hpp"
#include "tapestry/deeplearning/detail/pass/run_pass.hpp"
#include "tapestry/deeplearning/extend/exchange.hpp"
#include "tapestry/raii/mask.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Settles the exchange, and takes the steps if all passes agree. `failure` is the error of the pass, or
/// null; `share` is a factor for the gradients.
Do<void> stepTogether(Pass& pass, const std::shared_ptr<extend::Exchange>& exchange,
                      std::exception_ptr failure, std::optional<ClipByGlobalNorm> clip, double share);

/// Does as `runIn` in a pass in the exchange, and takes the steps. shareOf(pass, value) returns a factor for
/// the gradients; it may throw.
template <class A, class F>
Do<A> runExchanging(const std::shared_ptr<extend::Exchange>& exchange, const StopToken& stop,
                    const Do<A>& program, std::optional<ClipByGlobalNorm> clip, const F& shareOf) {
  using Shared = std::pair<A, double>;
  return openPass({.exchange = exchange})
      .flatMap([exchange, stop, program, clip, shareOf](Ref<Pass> opened) {
        Pass& pass = *opened;  // until the end of the scope
        return runIn(std::move(opened), program,
                     [shareOf](Pass& closed, const A& value) {
                       return Do<Shared>::now(Shared(value, shareOf(closed, value)));
                     })
            .attempt()
            .flatMap([&pass, exchange, stop, clip](const Try<Shared>& outcome) {
              auto failure = outcome.error();
              if (!failure && stop.stopRequested()) failure = std::make_exception_ptr(Cancelled());
              const double share = failure ? 1 : outcome.get().second;
              return stepTogether(pass, exchange, std::move(failure), clip, share).map([outcome] {
                return outcome.get().first;
              });
            });
      })
      .run();
}

/// As runPass, for a pass of `train` that takes its steps together with passes elsewhere. A request to stop
/// takes effect before the exchange opens; later it fails all passes of the exchange.
template <class A, class F>
Do<A> runReduced(const Reduction& reduction, const Do<A>& program, std::optional<ClipByGlobalNorm> clip,
                 const F& shareOf) {
  const auto inExchange = [program, clip, shareOf](const std::shared_ptr<extend::Exchange>& exchange) {
    return Do<StopToken>::lift(stopToken()).flatMap([=](const StopToken& stop) {
      return tapestry::mask(runExchanging(exchange, stop, program, clip, shareOf).attempt());
    });
  };
  // the request to stop, under which a pass has ended as cancelled, is seen after the mask
  return reduction.open.flatMap(inExchange)
      .flatMap([](const Try<A>& result) {
        return Do<A>::delay([result] { return Try<A>(result).valueOrThrow(); });
      })
      .run();
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
