// Defines the convolution by products of matrices, for any element type.
#pragma once

#include "kernels/convolution/convolution_extents.hpp"

namespace tapestry::kernels {

// No extent is 0. The last array is written; its previous values are not read.

template <class T>
void convolveByProducts(const ConvolutionExtents& extents, const T* x, const T* w, T* y);

template <class T>
void convolveByProductsLeft(const ConvolutionExtents& extents, const T* delta, const T* w, T* dx);

template <class T>
void convolveByProductsRight(const ConvolutionExtents& extents, const T* delta, const T* x, T* dw);

}  // namespace tapestry::kernels
