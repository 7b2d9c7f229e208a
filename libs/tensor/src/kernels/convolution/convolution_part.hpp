// Defines ConvolutionPart, a convolution, one of its derivatives, or a part of either, and the functions that
// compute it on the calling thread.
#pragma once

#include <compare>
#include <cstddef>

#include <tapestry/tensor/height_width.hpp>

namespace tapestry::kernels {

struct ConvolutionExtents {
  std::size_t batch;
  std::size_t groups;
  std::size_t channelsIn;   ///< of each group
  std::size_t channelsOut;  ///< of each group
  HeightWidth in;
  HeightWidth out;
  HeightWidth kernel;
  HeightWidth stride;
  HeightWidth padding;
  HeightWidth dilation;

  friend auto operator<=>(const ConvolutionExtents&, const ConvolutionExtents&) noexcept = default;
};

/// y from x and w; the delta of x from that of y and w; the delta of w from that of y and x.
enum class ConvolutionKind { forward, left, right };

/// `result` is computed from the other two arrays; its previous values are not read. No extent is 0.
template <class T>
struct ConvolutionPart {
  ConvolutionKind kind;
  ConvolutionExtents extents;
  const T* first;
  const T* second;
  T* result;
};

/// Makes each image in turn a matrix (im2col), which is multiplied.
template <class T>
void convolveByProducts(const ConvolutionPart<T>& part);

/// Does nothing and returns false if oneDNN has no code for the extents. Defined where hasOneDnn is true.
bool convolveByOneDnn(const ConvolutionPart<float>& part);

}  // namespace tapestry::kernels
