// Defines mask, which hides requests to stop from a program.
#pragma once

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class P>
class [[nodiscard("a program does nothing until it is run")]] Mask : public ProgramOperations<Mask<P>> {
 public:
  using ValueType = typename P::ValueType;

  explicit Mask(P program) : program_(std::move(program)) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    enterMask(run);
    program_.step(run, {});
  }

 private:
  P program_;
};

}  // namespace detail

/// Runs the program to its end even if its run is asked to stop meanwhile; the request is seen afterwards.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto mask(P program) {
  return detail::Mask<P>(std::move(program));
}

void mask(...) = delete;  // expected a program

}  // namespace tapestry
#pragma GCC visibility pop
