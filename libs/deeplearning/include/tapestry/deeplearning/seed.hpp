// Defines withSeed, which sets the seed of the random numbers of a pass.
#pragma once

#include <cstdint>

#include "tapestry/raii/local.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The seed that passes take when they are opened; if none is set, the n-th pass of the process takes n.
struct SeedSlot {
  using Type = std::uint64_t;
  static Type initial() noexcept { return 0; }
};

}  // namespace detail

/// Returns the program with all passes that it opens drawing from this seed: withSeed(step, train(loss)).
/// Layers draw in the order in which they are evaluated, which is the order of the expression unless branches
/// run in parallel: then a layer draws the same again only if it has its own stream (see dropout). Without a
/// seed, the passes of a process take 0, 1, 2, ... in the order in which they begin.
template <class A>
[[nodiscard]] Do<A> withSeed(std::uint64_t seed, const Do<A>& program) {
  return local<detail::SeedSlot>(seed, program);
}

void withSeed(...) = delete;  // expected a seed, and a Do, such as train(loss)

}  // namespace tapestry
#pragma GCC visibility pop
