// Defines mask, which hides requests to stop from a program.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Masks the run until everything above has been left.
struct EnterMask {
  void operator()(Run& run) const { enterMask(run); }
};

}  // namespace detail

/// Runs the program to its end even if its run is asked to stop meanwhile; the request is seen afterwards.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto mask(P program) {
  return detail::Within<P, detail::EnterMask>(std::move(program), {});
}

void mask(...) = delete;  // expected a program; for a Do raii/mask.hpp

}  // namespace tapestry
#pragma GCC visibility pop
