// Defines lstm, the LSTM of the rows lstm_* in libtorch.
#pragma once

#include "compare/side.hpp"
#include "work/lstm.hpp"

namespace tapestry::benchmarks::libtorch {

/// The work must outlive it.
Side lstm(const LstmWork& work, unsigned threads);

}  // namespace tapestry::benchmarks::libtorch
