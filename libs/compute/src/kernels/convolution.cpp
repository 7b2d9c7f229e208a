#include <tapestry/compute/kernels/device_convolution.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_layout.hpp>
#include <tapestry/compute/kernels/device_product.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "kernel/window_source.hpp"
#include "kernels/tensors.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using kernels::Convolution;
using kernels::Transpose;

/// All extents of a convolution of x with w.
struct ConvolvedImages {
  ConvolvedImages(const Shape& x, const Shape& w, const Convolution& convolution)
      : groups(convolution.groups), filters(w) {
    const Shape y = convolution.shapeOf("conv2d", x, w);
    images = x[0];
    channels = x[1];
    windows = {{x[2], x[3]},       {w[2], w[3]},        {y[2], y[3]},
               convolution.stride, convolution.padding, convolution.dilation};
    detail::requireCountable({x[2] + 2 * convolution.padding.height, x[3] + 2 * convolution.padding.width},
                             "conv2d");
  }

  std::size_t places() const noexcept { return windows.out.height * windows.out.width; }
  Shape in() const { return {images, channels, windows.in.height, windows.in.width}; }
  Shape out() const { return {images, filters[0], windows.out.height, windows.out.width}; }
  bool isEmpty() const { return in().size() == 0 || out().size() == 0; }
  /// The matrix of each group: a row for each element of a filter, a column for each place in each image.
  Shape columns() const { return {groups, filters.size() / filters[0], images * places()}; }
  Shape filterRows() const { return {groups, filters[0] / groups, filters.size() / filters[0]}; }
  Shape results() const { return {groups, filters[0] / groups, images * places()}; }

  void requireDelta(const Shape& delta) const {
    if (delta != out())
      throw ShapeError("conv2d", "a delta of the wrong shape", toString(delta), toString(out()));
  }
  /// The number of images whose matrix fits into the memory that a convolution may use; at least 1.
  std::size_t imagesAtOnce(const detail::DeviceState& device, std::size_t elementBytes) const {
    const std::size_t each = columns().size() / images;
    std::uint64_t bytes = device.memoryLimit() / 8;
    if (device.properties().largestBuffer != 0) bytes = std::min(bytes, device.properties().largestBuffer);
    const std::uint64_t most =
        std::min<std::uint64_t>(bytes / elementBytes, std::numeric_limits<std::int32_t>::max());
    return std::clamp<std::size_t>(most / each, 1, images);
  }

  std::size_t images, channels, groups;
  Shape filters;
  detail::Windows windows = {0, 0, 0, 0, 0, 0};
};

/// Computes a tensor of the shape `to` by a kernel that goes through the windows of the filters.
template <class T>
DeviceTensor<T> throughWindows(const detail::FixedKernel& kernel, const ConvolvedImages& of,
                               const DeviceTensor<T>& x, const Shape& to,
                               const std::shared_ptr<detail::DeviceState>& device) {
  const detail::DeviceState::Lock lock(device->mutex());
  return detail::computedBy<T>(kernel, {detail::storedOn(x, device)},
                               of.windows.after({of.channels, of.images}), to, device);
}

/// The elements under the filters, of the shape columns().
template <class T>
DeviceTensor<T> unfolded(const ConvolvedImages& of, const DeviceTensor<T>& x,
                         const std::shared_ptr<detail::DeviceState>& device) {
  detail::requireCountable(of.columns(), "conv2d");
  return throughWindows<T>({"unfold", detail::unfoldSource}, of, x, of.columns(), device);
}

/// The sums of the elements that `unfolded` would read from the same place.
template <class T>
DeviceTensor<T> folded(const ConvolvedImages& of, const DeviceTensor<T>& columns,
                       const std::shared_ptr<detail::DeviceState>& device) {
  return throughWindows<T>({"fold", detail::foldSource}, of, columns, of.in(), device);
}

/// The delta of a result as the matrix of each group, results().
template <class T>
DeviceTensor<T> deltaRows(const ConvolvedImages& of, const DeviceTensor<T>& delta) {
  return delta.permute({1, 0, 2, 3}).reshape(of.results());
}

template <class T>
DeviceTensor<T> imagesOf(const DeviceTensor<T>& x, std::size_t first, std::size_t last) {
  return x.slice({Slice{static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(last)}});
}

/// Calls body(first image, last image) for parts of the batch, and returns the results.
template <class T, class F>
std::vector<DeviceTensor<T>> inParts(std::size_t images, std::size_t atOnce, const F& body) {
  std::vector<DeviceTensor<T>> parts;
  for (std::size_t first = 0; first < images; first += atOnce)
    parts.push_back(body(first, std::min(first + atOnce, images)));
  return parts;
}

}  // namespace

template <class T>
DeviceTensor<T> DeviceConvolution::convolve(const DeviceTensor<T>& x, const DeviceTensor<T>& w,
                                            const Convolution& convolution) {
  const ConvolvedImages whole(x.shape(), w.shape(), convolution);
  const auto device = detail::requiredDevice("conv2d", std::array{x.expression(), w.expression()});
  if (whole.isEmpty()) return detail::constantTensor<T>(whole.out(), 0, device);
  const std::size_t atOnce = whole.imagesAtOnce(*device, sizeof(T));
  if (atOnce < whole.images)
    return DeviceLayout::concat(inParts<T>(whole.images, atOnce,
                                           [&](std::size_t first, std::size_t last) {
                                             return convolve(imagesOf(x, first, last), w, convolution);
                                           }),
                                0);
  const DeviceTensor<T> y = DeviceProduct::matmul(w.reshape(whole.filterRows()), Transpose::no,
                                                  unfolded(whole, x, device), Transpose::no);
  const Shape out = whole.out();
  return y.reshape({out[1], out[0], out[2], out[3]}).permute({1, 0, 2, 3});
}

template <class T>
DeviceTensor<T> DeviceConvolution::convolveDerivativeLeft(const DeviceTensor<T>& delta, const Shape& x,
                                                          const DeviceTensor<T>& w,
                                                          const Convolution& convolution) {
  const ConvolvedImages whole(x, w.shape(), convolution);
  whole.requireDelta(delta.shape());
  const auto device = detail::requiredDevice("conv2d", std::array{delta.expression(), w.expression()});
  if (whole.isEmpty()) return detail::constantTensor<T>(x, 0, device);
  const std::size_t atOnce = whole.imagesAtOnce(*device, sizeof(T));
  if (atOnce < whole.images) {
    const auto part = [&](std::size_t first, std::size_t last) {
      return convolveDerivativeLeft(imagesOf(delta, first, last), {last - first, x[1], x[2], x[3]}, w,
                                    convolution);
    };
    return DeviceLayout::concat(inParts<T>(whole.images, atOnce, part), 0);
  }
  detail::requireCountable(whole.columns(), "conv2d");
  return folded(whole,
                DeviceProduct::matmul(w.reshape(whole.filterRows()), Transpose::yes, deltaRows(whole, delta),
                                      Transpose::no),
                device);
}

template <class T>
DeviceTensor<T> DeviceConvolution::convolveDerivativeRight(const DeviceTensor<T>& delta,
                                                           const DeviceTensor<T>& x, const Shape& w,
                                                           const Convolution& convolution) {
  const ConvolvedImages whole(x.shape(), w, convolution);
  whole.requireDelta(delta.shape());
  const auto device = detail::requiredDevice("conv2d", std::array{delta.expression(), x.expression()});
  if (whole.isEmpty()) return detail::constantTensor<T>(w, 0, device);
  const std::size_t atOnce = whole.imagesAtOnce(*device, sizeof(T));
  if (atOnce < whole.images) {
    const auto part = [&](std::size_t first, std::size_t last) {
      return convolveDerivativeRight(imagesOf(delta, first, last), imagesOf(x, first, last), w, convolution);
    };
    const std::vector<DeviceTensor<T>> parts = inParts<T>(whole.images, atOnce, part);
    DeviceTensor<T> sum = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) sum = DeviceElementwise::add(std::move(sum), parts[i]);
    return sum;
  }
  return DeviceProduct::matmul(deltaRows(whole, delta), Transpose::no, unfolded(whole, x, device),
                               Transpose::yes)
      .reshape(w);
}

#define TAPESTRY_INSTANTIATE(T)                                                                        \
  template DeviceTensor<T> DeviceConvolution::convolve(const DeviceTensor<T>&, const DeviceTensor<T>&, \
                                                       const Convolution&);                            \
  template DeviceTensor<T> DeviceConvolution::convolveDerivativeLeft(                                  \
      const DeviceTensor<T>&, const Shape&, const DeviceTensor<T>&, const Convolution&);               \
  template DeviceTensor<T> DeviceConvolution::convolveDerivativeRight(                                 \
      const DeviceTensor<T>&, const DeviceTensor<T>&, const Shape&, const Convolution&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
