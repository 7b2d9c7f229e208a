// Defines oursOnDigits and oursOnPredictions, the gated network of the rows digits_* and predict_* in this
// library.
#pragma once

#include "compare/side.hpp"
#include "work/gated.hpp"

namespace tapestry::benchmarks {

/// The work must outlive them.
Side oursOnDigits(const GatedWork& work, unsigned threads);
Side oursOnPredictions(const GatedWork& work, unsigned threads);

}  // namespace tapestry::benchmarks
