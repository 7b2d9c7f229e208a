// Defines scalars and small, the chains of the rows scalar_* and small_* in libtorch.
#pragma once

#include "compare/side.hpp"
#include "work/chains.hpp"

namespace tapestry::benchmarks::libtorch {

Side scalars(const ScalarChain& chain, unsigned threads);
Side small(const SmallChain& chain, unsigned threads);

}  // namespace tapestry::benchmarks::libtorch
