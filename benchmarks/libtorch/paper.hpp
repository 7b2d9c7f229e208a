// Defines paper, the network of the paper's evaluation in libtorch.
#pragma once

#include "compare/side.hpp"
#include "work/paper.hpp"

namespace tapestry::benchmarks::libtorch {

/// The work must outlive it.
Side paper(const PaperWork& work, unsigned threads);

}  // namespace tapestry::benchmarks::libtorch
