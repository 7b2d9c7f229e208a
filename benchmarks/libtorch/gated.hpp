// Defines digits and predictions, the gated network of the rows digits_* and predict_* in libtorch.
#pragma once

#include "compare/side.hpp"
#include "work/gated.hpp"

namespace tapestry::benchmarks::libtorch {

/// The work must outlive them.
Side digits(const GatedWork& work, unsigned threads);
Side predictions(const GatedWork& work, unsigned threads);

}  // namespace tapestry::benchmarks::libtorch
