#include <tapestry/tensor/kernels/convolution.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>

#include <tapestry/tensor/shape_error.hpp>

#include "kernels/convolution/convolution_part.hpp"
#include "kernels/one_dnn.hpp"
#include "kernels/product/backends.hpp"
#include "tapestry/tensor/for_each_part.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

constexpr std::size_t largestInt = std::numeric_limits<int>::max();

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
    if (extent > largestInt)
      throw misfit("an extent is too large", "extents up to " + std::to_string(largestInt));
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
  if (value < least || value > largestInt)
    throw std::invalid_argument("tapestry::" + std::string(operation) + ": " + std::string(what) +
                                " out of range, got " + std::to_string(value) + ", expected " +
                                std::to_string(least) + " .. " + std::to_string(largestInt));
}

// How a convolution is cut along its images. The cut depends only on the extents. Each part brings the
// filters into another format, or adds its filters to those of other parts; this costs little only if the
// filters are used at many places. Precondition: no extent is 0.
struct Cut {
  static constexpr std::size_t most = 8;

  explicit Cut(const ConvolutionExtents& e) noexcept
      : images(e.batch), filters(e.groups * e.channelsOut * e.channelsIn * e.kernel.height * e.kernel.width) {
    constexpr std::size_t worth = 1024 * 1024;  // multiplications, some 20 us
    constexpr std::size_t manyPlaces = 256;
    const std::size_t places = e.batch * e.out.height * e.out.width;
    const std::size_t share =
        std::min(places / manyPlaces, places / worth * filters + places % worth * filters / worth);
    const std::size_t wanted = std::bit_floor(std::clamp<std::size_t>(share, 1, most));
    length = (images + wanted - 1) / wanted;
  }

  std::size_t parts() const noexcept { return (images + length - 1) / length; }

  std::size_t images;
  std::size_t filters;  // elements
  std::size_t length;   // images of each part but the last
};

// Returns part i; if the filters are the result, those of each part but the first go to `sums`.
template <class T>
ConvolutionPart<T> partOf(ConvolutionPart<T> part, const Cut& cut, std::size_t i, T* sums) {
  const ConvolutionExtents& e = part.extents;
  const std::size_t in = e.groups * e.channelsIn * e.in.height * e.in.width;
  const std::size_t out = e.groups * e.channelsOut * e.out.height * e.out.width;
  const std::size_t begin = i * cut.length;
  const bool isForward = part.kind == ConvolutionKind::forward;
  const bool isRight = part.kind == ConvolutionKind::right;
  part.extents.batch = std::min(cut.length, cut.images - begin);
  part.first += begin * (isForward ? in : out);
  if (isRight) part.second += begin * in;
  if (!isRight)
    part.result += begin * (isForward ? out : in);
  else if (i > 0)
    part.result = sums + (i - 1) * cut.filters;
  return part;
}

template <class T>
void compute(const ConvolutionPart<T>& part) {
  if constexpr (hasOneDnn && std::same_as<T, float>)
    if (convolveByOneDnn(part)) return;
  convolveByProducts(part);
}

// Computes the parts, or the whole if no threads help or it is too small. Filters of parts are added up in
// order.
template <class T>
void computeParts(const ConvolutionPart<T>& whole) {
  const Cut cut(whole.extents);
  if (!hasHelpers() || cut.parts() == 1) return compute(whole);
  const std::size_t others = whole.kind == ConvolutionKind::right ? cut.parts() - 1 : 0;
  auto sums = Tensor<T>::uninitialized({others, cut.filters});
  T* const filters = sums.exclusiveData();
  std::array<std::exception_ptr, Cut::most> errors;
  forEachPart(cut.parts(), [&](std::size_t i) noexcept {
    const HelperScope alone(nullptr);  // so that products in the part do not depend on helpers
    try {
      compute(partOf(whole, cut, i, filters));
    } catch (...) {
      errors[i] = std::current_exception();
    }
  });
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
  for (std::size_t i = 0; i < others; ++i) addRow(filters + i * cut.filters, 1, cut.filters, whole.result);
}

// Computes the result, which has the given shape, from two arrays.
template <class T>
Tensor<T> run(ConvolutionKind kind, const ConvolutionExtents& extents, const Tensor<T>& first,
              const Tensor<T>& second, const Shape& shape) {
  if (isEmpty(extents)) return Tensor<T>::zeros(shape);
  auto result = Tensor<T>::uninitialized(shape);
  computeParts<T>({kind, extents, first.data(), second.data(), result.exclusiveData()});
  return result;
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
  return run(ConvolutionKind::forward, extents, x, w, shapeOfResult(extents));
}

template <class T>
Tensor<T> convolveDerivativeLeft(const Tensor<T>& delta, const Shape& x, const Tensor<T>& w,
                                 const Convolution& convolution) {
  const auto extents = extentsOf("conv2d", x, w.shape(), convolution);
  requireDelta(delta.shape(), extents);
  return run(ConvolutionKind::left, extents, delta, w, x);
}

template <class T>
Tensor<T> convolveDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Shape& w,
                                  const Convolution& convolution) {
  const auto extents = extentsOf("conv2d", x.shape(), w, convolution);
  requireDelta(delta.shape(), extents);
  return run(ConvolutionKind::right, extents, delta, x, w);
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
