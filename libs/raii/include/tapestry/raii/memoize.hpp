// Defines memoize of Do, which runs a program once and remembers its value or its error.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "tapestry/continuation/memoize.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Runs the program P, which yields a Try<A>, and yields the Try behind a pointer, so that if copying the
/// value throws, only the run that copies fails. If the program throws Cancelled, the run is stopped.
template <class A, class P>
class [[nodiscard("a program does nothing until it is run")]] KeptResult
    : public ProgramOperations<KeptResult<A, P>> {
 public:
  using ValueType = std::shared_ptr<const Try<A>>;

  explicit KeptResult(P program) : program_(std::move(program)) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto keep = [](Run& r) {
      auto result = r.take<Try<A>>();
      if (!isCancellation(result.error()))
        return r.put<ValueType>(std::make_shared<const Try<A>>(std::move(result)));
      r.stop(errorAs<Cancelled>(result.error()) ? Errors() : Errors(result.error()));
    };
    run.push<keep>(std::move(keeper));
    program_.step(run, {});
  }

 private:
  P program_;
};

}  // namespace detail

/// The first run that reaches this runs the program, in a separate scope. The value or the error is
/// remembered as long as a copy of this Do exists; each run gets a copy of the value. The resources of the
/// program are released before any run gets the value: use `shared` to share resources.
///
/// Runs that arrive meanwhile wait. If the run that executes the program is cancelled, or the program throws
/// Cancelled, a waiting run, or else the next run to arrive, starts it again; cancelling a waiting run does
/// not affect the others.
template <class A>
  requires std::copy_constructible<Stored<A>>
[[nodiscard("a program does nothing until it is run")]] Do<A> memoize(
    const Do<A>& program, detail::Location location = detail::Location::current()) {
  using Kept = detail::KeptResult<A, detail::RunScope<A>>;
  Kept keep{detail::RunScope<A>(program.acquire())};
  return Do<A>::garbageCollected(
      tapestry::memoize(std::move(keep), location).map([](const typename Kept::ValueType& kept) {
        return detail::copyOf(*kept);
      }));
}

}  // namespace tapestry
#pragma GCC visibility pop
