// Defines memoize of Do, which runs a program once and remembers its value or its error.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "tapestry/continuation/memoize.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

/// Runs the program, as a scope of its own, when the first run comes to it, and remembers the value, or the
/// error, for as long as a copy of this is kept; each run gets a copy of the value. What was acquired for the
/// value is released before any run gets it: for resources in common there is `shared`.
///
/// Runs that come meanwhile wait. If the run that is at work is cancelled, a waiting run, or else the next
/// to come, begins again; cancelling a waiting run does not disturb the others.
template <class A>
  requires std::copy_constructible<Stored<A>>
[[nodiscard("a program does nothing until it is run")]] Do<A> memoize(
    const Do<A>& program, detail::Location location = detail::Location::current()) {
  // behind a pointer: where a copy of the value throws, that is one run's error
  using Kept = std::shared_ptr<const Try<A>>;
  UnitContinuation<Kept> keep = program.run().acquire().map([](typename Do<A>::Acquired ended) -> Kept {
    return std::make_shared<const Try<A>>(std::move(ended.value));
  });
  return Do<A>::garbageCollected(memoize(std::move(keep), location).map([](const Kept& kept) {
    return kept->hasValue() ? Try<A>::of([&]() -> A {
      if constexpr (!std::is_void_v<A>) return kept->get();
    })
                            : Try<A>::failure(kept->error());
  }));
}

}  // namespace tapestry
