// Defines oursOnPaper, the network of the paper's evaluation in this library.
#pragma once

#include "compare/side.hpp"
#include "work/paper.hpp"

namespace tapestry::benchmarks {

/// The work must outlive it.
Side oursOnPaper(const PaperWork& work, unsigned threads);

}  // namespace tapestry::benchmarks
