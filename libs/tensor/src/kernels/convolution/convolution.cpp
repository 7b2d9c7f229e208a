#include <tapestry/tensor/kernels/convolution.hpp>

#include <concepts>
#include <limits>
#include <stdexcept>
#include <string>

#include <tapestry/tensor/shape_error.hpp>

#include "kernels/convolution/convolution_extents.hpp"
#include "kernels/convolution/convolution_parts.hpp"
#include "kernels/convolution/im2col.hpp"
#include "kernels/convolution/one_dnn_convolution.hpp"
#include "kernels/one_dnn.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

constexpr std::size_t largest = std::numeric_limits<int>::max();

// Returns an output extent, or 0 if the filter does not fit.
std::size_t places(std::size_t in, std::size_t kernel, std::size_t stride, std::size_t padding,
                   std::size_t dilation) {
  const std::size_t reach = dilation * (kernel - 1) + 1;
  return in + 2 * padding < reach ? 0 : (in + 2 * padding - reach) / stride + 1;
}

ConvolutionExtents extentsOf(std::string_view operation, const Shape& x, const Shape& w,
                             const Convolution& convolution) {
  convolution.requireValid(operation);
  const auto& [stride, padding, dilation, groups] = convolution;
  const auto misfit = [&](std::string_view problem, std::string_view expected) {
    return ShapeError(operation, problem, toString(x) + " and " + toString(w), expected);
  };
  if (x.rank() != 4 || w.rank() != 4)
    throw misfit("not images and filters", "[N, C, H, W] and [O, C / groups, KH, KW]");
  const std::string divided = groups == 1 ? "" : " / " + std::to_string(groups);
  if (x[1] % groups != 0 || w[0] % groups != 0)
    throw misfit("the channels cannot be divided into groups",
                 "numbers of channels that " + std::to_string(groups) + " divides");
  if (x[1] / groups != w[1])
    throw misfit("the channels differ", "[N, C, H, W] and [O, C" + divided + ", KH, KW]");
  const HeightWidth kernel{w[2], w[3]};
  if (kernel.height == 0 || kernel.width == 0) throw misfit("the filters are empty", "KH and KW above 0");
  for (const std::size_t extent : {x[0], x[1], x[2], x[3], w[0], w[2], w[3]})
    if (extent > largest) throw misfit("an extent is too large", "extents up to " + std::to_string(largest));
  const HeightWidth out{places(x[2], kernel.height, stride.height, padding.height, dilation.height),
                        places(x[3], kernel.width, stride.width, padding.width, dilation.width)};
  if (out.height == 0 || out.width == 0)
    throw misfit("the filters are larger than the images",
                 "dilation * (KH - 1) < H + 2 * padding, and the same of W");
  return {x[0], groups, w[1], w[0] / groups, {x[2], x[3]}, out, kernel, stride, padding, dilation};
}

Shape shapeOfResult(const ConvolutionExtents& e) {
  return {e.batch, e.groups * e.channelsOut, e.out.height, e.out.width};
}

void requireDelta(const Shape& delta, const ConvolutionExtents& extents) {
  if (delta != shapeOfResult(extents))
    throw ShapeError("conv2d", "a delta of the wrong shape", toString(delta),
                     toString(shapeOfResult(extents)));
}

bool isEmpty(const ConvolutionExtents& e) {
  return e.batch == 0 || e.channelsIn == 0 || e.channelsOut == 0 || e.in.height == 0 || e.in.width == 0;
}

void requireBetween(std::string_view operation, std::string_view what, std::size_t value, std::size_t least) {
  if (value < least || value > largest)
    throw std::invalid_argument("tapestry::" + std::string(operation) + ": " + std::string(what) +
                                " out of range, got " + std::to_string(value) + ", expected " +
                                std::to_string(least) + " .. " + std::to_string(largest));
}

template <class T>
using ByProducts = void(const ConvolutionExtents&, const T*, const T*, T*);
using ByOneDnn = bool(const ConvolutionExtents&, const float*, const float*, float*);

// Computes the result, which has the given shape, from two arrays.
template <class T>
Tensor<T> run(const ConvolutionExtents& extents, const Tensor<T>& first, const Tensor<T>& second,
              const Shape& shape, const ImageSteps& steps, ByOneDnn* byOneDnn, ByProducts<T>* byProducts) {
  if (isEmpty(extents)) return Tensor<T>::zeros(shape);
  auto result = Tensor<T>::uninitialized(shape);
  const ConvolutionPart<T> whole{extents, first.data(), second.data(), result.exclusiveData()};
  inImages(whole, steps, [&](const ConvolutionPart<T>& part) {
    if constexpr (hasOneDnn && std::same_as<T, float>)
      if (byOneDnn(part.extents, part.first, part.second, part.result)) return;
    byProducts(part.extents, part.first, part.second, part.result);
  });
  return result;
}

// The numbers of elements of an input image and of an output image.
std::size_t elementsIn(const ConvolutionExtents& e) {
  return e.groups * e.channelsIn * e.in.height * e.in.width;
}
std::size_t elementsOut(const ConvolutionExtents& e) {
  return e.groups * e.channelsOut * e.out.height * e.out.width;
}

}  // namespace

void Convolution::requireValid(std::string_view operation) const {
  for (const std::size_t step : {stride.height, stride.width}) requireBetween(operation, "stride", step, 1);
  for (const std::size_t step : {dilation.height, dilation.width})
    requireBetween(operation, "dilation", step, 1);
  for (const std::size_t margin : {padding.height, padding.width})
    requireBetween(operation, "padding", margin, 0);
  requireBetween(operation, "groups", groups, 1);
}

Shape Convolution::shapeOf(std::string_view operation, const Shape& x, const Shape& w) const {
  return shapeOfResult(extentsOf(operation, x, w, *this));
}

template <class T>
Tensor<T> convolve(const Tensor<T>& x, const Tensor<T>& w, const Convolution& convolution) {
  const auto extents = extentsOf("conv2d", x.shape(), w.shape(), convolution);
  return run(extents, x, w, shapeOfResult(extents), {elementsIn(extents), 0, elementsOut(extents)},
             convolveByOneDnn, convolveByProducts<T>);
}

template <class T>
Tensor<T> convolveDerivativeLeft(const Tensor<T>& delta, const Shape& x, const Tensor<T>& w,
                                 const Convolution& convolution) {
  const auto extents = extentsOf("conv2d", x, w.shape(), convolution);
  requireDelta(delta.shape(), extents);
  return run(extents, delta, w, x, {elementsOut(extents), 0, elementsIn(extents)}, convolveByOneDnnLeft,
             convolveByProductsLeft<T>);
}

template <class T>
Tensor<T> convolveDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Shape& w,
                                  const Convolution& convolution) {
  const auto extents = extentsOf("conv2d", x.shape(), w, convolution);
  requireDelta(delta.shape(), extents);
  return run(extents, delta, x, w, {elementsOut(extents), elementsIn(extents), 0}, convolveByOneDnnRight,
             convolveByProductsRight<T>);
}

#define TAPESTRY_INSTANTIATE(T)                                                                \
  template Tensor<T> convolve(const Tensor<T>&, const Tensor<T>&, const Convolution&);         \
  template Tensor<T> convolveDerivativeLeft(const Tensor<T>&, const Shape&, const Tensor<T>&,  \
                                            const Convolution&);                               \
  template Tensor<T> convolveDerivativeRight(const Tensor<T>&, const Tensor<T>&, const Shape&, \
                                             const Convolution&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
