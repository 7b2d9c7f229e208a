// Defines the convolution by oneDNN, for float.
#pragma once

#include "kernels/convolution/convolution_extents.hpp"

namespace tapestry::kernels {

// Each function does nothing and returns false if oneDNN has no code for the extents, which must not be 0.
// The last array is written; its previous values are not read.

bool convolveByOneDnn(const ConvolutionExtents& extents, const float* x, const float* w, float* y);

bool convolveByOneDnnLeft(const ConvolutionExtents& extents, const float* delta, const float* w, float* dx);

bool convolveByOneDnnRight(const ConvolutionExtents& extents, const float* delta, const float* x, float* dw);

}  // namespace tapestry::kernels
