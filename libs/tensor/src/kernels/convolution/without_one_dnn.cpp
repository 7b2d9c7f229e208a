// The convolution where this build does not use oneDNN: there is no code for any extents.
#include "kernels/convolution/one_dnn_convolution.hpp"

namespace tapestry::kernels {

bool convolveByOneDnn(const ConvolutionExtents&, const float*, const float*, float*) { return false; }

bool convolveByOneDnnLeft(const ConvolutionExtents&, const float*, const float*, float*) { return false; }

bool convolveByOneDnnRight(const ConvolutionExtents&, const float*, const float*, float*) { return false; }

}  // namespace tapestry::kernels
