// Defines releasedUnless, which releases the resources of a program unless its result is to be kept.
#pragma once

#include <utility>

#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The program; unless keeps(result), which must not throw, is true of its Try, it yields only after all its
/// resources have been released.
template <class A, class F>
Do<A> releasedUnless(const Do<A>& program, F keeps) {
  using Acquired = typename Do<A>::Acquired;
  return Do<A>(
      program.acquire().flatMap([keeps = std::move(keeps)](Acquired acquired) -> UnitContinuation<Acquired> {
        if (!acquired.release || keeps(std::as_const(acquired.value)))
          return give<UnitContinuationMonad>(std::move(acquired));
        return mask(*std::move(acquired.release))
            .map([once = Once<Try<A>>(std::move(acquired.value))](const Errors& errors) {
              Try<A> result = once.take();
              result.absorb(errors);
              return Acquired{std::move(result), {}};
            });
      }));
}

/// The program; if it fails, all its resources are released first.
template <class A>
Do<A> releasedOnFailure(const Do<A>& program) {
  return releasedUnless(program, [](const Try<A>& result) { return result.hasValue(); });
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
