// Defines oursOnDense and oursOnConvolution, the layers of the rows dense_* and conv_* in this library.
#pragma once

#include "compare/side.hpp"
#include "work/convolution.hpp"
#include "work/dense.hpp"

namespace tapestry::benchmarks {

Side oursOnDense(const DenseWork& work, unsigned threads);
Side oursOnConvolution(const ConvolutionWork& work, unsigned threads);

}  // namespace tapestry::benchmarks
