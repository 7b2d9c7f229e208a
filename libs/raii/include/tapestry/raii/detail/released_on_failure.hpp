// Defines releasedOnFailure, a Do that holds nothing any more when it has failed.
#pragma once

#include <utility>

#include "tapestry/raii/do.hpp"

namespace tapestry::detail {

/// The program; if it fails, it is so only when all that it acquired has been released.
template <class A>
Do<A> releasedOnFailure(const Do<A>& program) {
  using Acquired = typename Do<A>::Acquired;
  return Do<A>(UnitContinuation<Acquired>(
      program.acquire().flatMap([](Acquired acquired) -> UnitContinuation<Acquired> {
        if (acquired.value.hasValue() || !acquired.release)
          return give<UnitContinuationMonad>(std::move(acquired));
        return mask(*std::move(acquired.release))
            .map([once = Once<Try<A>>(std::move(acquired.value))](const Errors& errors) {
              Try<A> failure = once.take();
              failure.absorb(errors);
              return Acquired{std::move(failure), {}};
            });
      })));
}

}  // namespace tapestry::detail
