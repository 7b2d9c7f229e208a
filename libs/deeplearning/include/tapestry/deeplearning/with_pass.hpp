// Defines withPass, which runs a user's program in a pass.
#pragma once

#include <type_traits>

#include "tapestry/deeplearning/detail/pass/run_pass.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs a program that evaluates networks by `forward`, and sends deltas by `backward`, in one pass. When the
/// program has yielded its value, its tapes are released, deltas flow back, and each weight that they reach
/// takes one step.
template <class A>
[[nodiscard]] Do<A> withPass(const Do<A>& program) {
  if constexpr (std::is_void_v<A>)
    return withPass(program.map([] { return Unit{}; })).map([](Unit) {});
  else
    return detail::runPass({}, program, [](detail::Pass& pass, const A& value) {
      return detail::commitPass(pass).map([value = value] { return value; });
    });
}

void withPass(...) = delete;  // expected a Do, such as forward(layer).map(...) gives

}  // namespace tapestry
#pragma GCC visibility pop
