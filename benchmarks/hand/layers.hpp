// Defines bareProducts and bareConvolutions, what the rows dense_* and conv_* cannot do without, and no more.
#pragma once

#include "compare/side.hpp"
#include "work/convolution.hpp"
#include "work/dense.hpp"

namespace tapestry::benchmarks::hand {

/// The five products of matrices, each by the faster of OpenBLAS and oneDNN.
Side bareProducts(const DenseWork& work, unsigned threads);

/// The three convolutions of oneDNN, from and to plain arrays: in the formats that it likes best, each array
/// reordered once, or in the plain ones.
enum class Formats { best, plain };
Side bareConvolutions(const ConvolutionWork& work, Formats formats, unsigned threads);

}  // namespace tapestry::benchmarks::hand
