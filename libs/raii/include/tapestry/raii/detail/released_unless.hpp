// Defines releasedUnless, which releases the resources of a program unless its result is to be kept, and
// afterRelease, which yields a result after a release.
#pragma once

#include <utility>

#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Runs the release, masked. Then yields the result, with the errors of the release added, and `left`, the
/// release that is still to run.
template <class A>
UnitContinuation<typename Do<A>::Acquired> afterRelease(UnitContinuation<Errors> release, Try<A> result,
                                                        Release<UnitContinuationMonad> left = {}) {
  using Acquired = typename Do<A>::Acquired;
  return mask(std::move(release))
      .map([once = Once<Acquired>({std::move(result), std::move(left)})](const Errors& errors) {
        Acquired acquired = once.take();
        acquired.absorb(errors);
        return acquired;
      });
}

/// The program; unless keeps(result), which must not throw, is true of its Try, it yields only after all its
/// resources have been released.
template <class A, class F>
Do<A> releasedUnless(const Do<A>& program, F keeps) {
  using Acquired = typename Do<A>::Acquired;
  return Do<A>(
      program.acquire().flatMap([keeps = std::move(keeps)](Acquired acquired) -> UnitContinuation<Acquired> {
        if (!acquired.release || keeps(std::as_const(acquired.value)))
          return give<UnitContinuationMonad>(std::move(acquired));
        return afterRelease(*std::move(acquired.release), std::move(acquired.value));
      }));
}

/// The program; if it fails, all its resources are released first.
template <class A>
Do<A> releasedOnFailure(const Do<A>& program) {
  return releasedUnless(program, [](const Try<A>& result) { return result.hasValue(); });
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
