// Defines memoize of Do, which runs a program once and remembers its value or its error.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "tapestry/continuation/memoize.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The first run that reaches this runs the program, in a separate scope. The value or the error is
/// remembered as long as a copy of this Do exists; each run gets a copy of the value. The resources of the
/// program are released before any run gets the value: use `shared` to share resources.
///
/// Runs that arrive meanwhile wait. If the run that executes the program is cancelled, a waiting run, or else
/// the next run to arrive, starts it again; cancelling a waiting run does not affect the others.
template <class A>
  requires std::copy_constructible<Stored<A>>
[[nodiscard("a program does nothing until it is run")]] Do<A> memoize(
    const Do<A>& program, detail::Location location = detail::Location::current()) {
  // behind a pointer: if copying the value throws, only the run that copies fails
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
#pragma GCC visibility pop
