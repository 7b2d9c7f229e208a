// Defines oursOnScalars and oursOnSmall, the chains of the rows scalar_* and small_* in this library.
#pragma once

#include "compare/side.hpp"
#include "work/chains.hpp"

namespace tapestry::benchmarks {

/// The chains need not outlive them.
Side oursOnScalars(const ScalarChain& chain);
Side oursOnSmall(const SmallChain& chain);

}  // namespace tapestry::benchmarks
