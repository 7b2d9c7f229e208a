// Defines lift, which makes a Do of a program that cannot fail.
#pragma once

#include <utility>

#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Do<A>::lift of a program of an A: a Do that holds nothing, and fails only if the program is stopped with
/// an error, such as BrokenCallback.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] Do<typename P::ValueType> lift(P program) {
  return Do<typename P::ValueType>::lift(std::move(program));
}

void lift(...) = delete;  // expected a program that cannot fail, such as a UnitContinuation

}  // namespace tapestry
#pragma GCC visibility pop
