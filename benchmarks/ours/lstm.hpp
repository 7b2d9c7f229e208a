// Defines oursOnLstm, the LSTM of the rows lstm_* in this library.
#pragma once

#include "compare/side.hpp"
#include "work/lstm.hpp"

namespace tapestry::benchmarks {

Side oursOnLstm(const LstmWork& work, unsigned threads);

}  // namespace tapestry::benchmarks
