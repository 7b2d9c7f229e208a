#include <tapestry/deeplearning/kernels/pooling.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <tapestry/deeplearning/kernels/arithmetic.hpp>
#include <tapestry/deeplearning/shape_error.hpp>

#include "kernels/inside.hpp"

namespace tapestry::kernels {

namespace {

std::string text(const HeightWidth& pair) {
  return std::to_string(pair.height) + " x " + std::to_string(pair.width);
}

// A pooling with all its numbers.
struct Planes {
  Planes(std::string_view operation, const Shape& x, const Pooling& pooling)
      : window(pooling.window),
        stride(pooling.stride.height == 0 ? window.height : pooling.stride.height,
               pooling.stride.width == 0 ? window.width : pooling.stride.width),
        padding(pooling.padding) {
    if (x.rank() < 2) throw ShapeError(operation, "not planes", toString(x), "[..., H, W]");
    in = {x[x.rank() - 2], x[x.rank() - 1]};
    if (x[x.rank() - 2] == 0 || x[x.rank() - 1] == 0 || in.height + 2 * padding.height < window.height ||
        in.width + 2 * padding.width < window.width)
      throw ShapeError(operation, "the window is larger than the planes",
                       text(window) + " for " + toString(x) + " with a padding of " + text(padding),
                       "a window of at most H + 2 * padding, and the same of W");
    out = {(in.height + 2 * padding.height - window.height) / stride.height + 1,
           (in.width + 2 * padding.width - window.width) / stride.width + 1};
    std::vector<std::size_t> extents(x.begin(), x.end());
    extents[x.rank() - 2] = out.height;
    extents[x.rank() - 1] = out.width;
    shape = Shape(extents);
  }

  // Calls body(where x's plane starts, where the line of the result starts, its number) for each line of the
  // result.
  template <class F>
  void forEachLine(const F& body) const {
    const std::size_t lines = out.width == 0 ? 0 : shape.size() / out.width;
    for (std::size_t line = 0; line < lines; ++line)
      body(line / out.height * in.height * in.width, line * out.width, line % out.height);
  }

  // For each element of the window, as it moves along line i of the result, calls body(at, places): places j
  // of the window see the element at + j * stride of x's plane.
  template <class F>
  void forEachElement(std::size_t i, const F& body) const {
    for (std::size_t p = 0; p < window.height; ++p) {
      const std::size_t line = i * stride.height + p - padding.height;
      if (line >= in.height) continue;  // Also what is above the plane, which has wrapped around.
      for (std::size_t q = 0; q < window.width; ++q)
        body(line * in.width + q - padding.width,
             Inside(out.width, stride.width, q, padding.width, in.width));
    }
  }

  HeightWidth window;
  HeightWidth stride;
  HeightWidth padding;
  HeightWidth in = 0;
  HeightWidth out = 0;
  Shape shape;
};

template <class T>
void maxOfLine(const Planes& planes, std::size_t line, const T* plane, T* out) {
  std::fill_n(out, planes.out.width, -std::numeric_limits<T>::infinity());
  planes.forEachElement(line, [&](std::size_t at, const Inside& places) {
    for (std::size_t j = places.first; j < places.last; ++j)
      out[j] = maximum(out[j], plane[at + j * planes.stride.width]);
  });
}

void requireDelta(std::string_view operation, const Shape& delta, const Planes& planes) {
  if (delta != planes.shape)
    throw ShapeError(operation, "a delta of the wrong shape", toString(delta), toString(planes.shape));
}

}  // namespace

void Pooling::requireValid(std::string_view operation) const {
  const auto fault = [&](const std::string& problem) {
    return std::invalid_argument("tapestry::" + std::string(operation) + ": " + problem);
  };
  constexpr std::size_t largest = std::numeric_limits<int>::max();
  if (std::min(window.height, window.width) == 0 || std::max(window.height, window.width) > largest)
    throw fault("window out of range, got " + text(window) + ", expected 1 .. " + std::to_string(largest));
  if (std::max(stride.height, stride.width) > largest)
    throw fault("stride out of range, got " + text(stride) + ", expected 0 .. " + std::to_string(largest));
  if (padding.height >= window.height || padding.width >= window.width)
    throw fault("the padding fills the window, got " + text(padding) + " for " + text(window) +
                ", expected less padding than window");
}

Shape Pooling::shapeOf(std::string_view operation, const Shape& x) const {
  return Planes(operation, x, *this).shape;
}

template <class T>
Tensor<T> maxPool(const Tensor<T>& x, const Pooling& pooling) {
  const Planes planes("maxPool2d", x.shape(), pooling);
  auto result = Tensor<T>::uninitialized(planes.shape);
  T* const out = result.exclusiveData();
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    maxOfLine(planes, line, x.data() + from, out + to);
  });
  return result;
}

template <class T>
Tensor<T> maxPoolDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Pooling& pooling) {
  const Planes planes("maxPool2d", x.shape(), pooling);
  requireDelta("maxPool2d", delta.shape(), planes);
  auto result = Tensor<T>::zeros(x.shape());
  T* const out = result.exclusiveData();
  std::vector<T> most(planes.out.width);
  std::vector<T> ties(planes.out.width);
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    const T* const plane = x.data() + from;
    const T* const share = delta.data() + to;
    maxOfLine(planes, line, plane, most.data());
    std::fill(ties.begin(), ties.end(), T{0});
    planes.forEachElement(line, [&](std::size_t at, const Inside& places) {
      for (std::size_t j = places.first; j < places.last; ++j)
        ties[j] += plane[at + j * planes.stride.width] == most[j] ? T{1} : T{0};
    });
    planes.forEachElement(line, [&](std::size_t at, const Inside& places) {
      for (std::size_t j = places.first; j < places.last; ++j) {
        const std::size_t i = at + j * planes.stride.width;
        if (plane[i] == most[j]) out[from + i] += share[j] / ties[j];
      }
    });
  });
  return result;
}

template <class T>
Tensor<T> avgPool(const Tensor<T>& x, const Pooling& pooling) {
  const Planes planes("avgPool2d", x.shape(), pooling);
  const auto elements = static_cast<T>(planes.window.height * planes.window.width);
  auto result = Tensor<T>::zeros(planes.shape);
  T* const out = result.exclusiveData();
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    const T* const plane = x.data() + from;
    T* const row = out + to;
    planes.forEachElement(line, [&](std::size_t at, const Inside& places) {
      for (std::size_t j = places.first; j < places.last; ++j) row[j] += plane[at + j * planes.stride.width];
    });
    for (std::size_t j = 0; j < planes.out.width; ++j) row[j] /= elements;
  });
  return result;
}

template <class T>
Tensor<T> avgPoolDerivative(const Tensor<T>& delta, const Shape& x, const Pooling& pooling) {
  const Planes planes("avgPool2d", x, pooling);
  requireDelta("avgPool2d", delta.shape(), planes);
  const auto elements = static_cast<T>(planes.window.height * planes.window.width);
  auto result = Tensor<T>::zeros(x);
  T* const out = result.exclusiveData();
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    const T* const share = delta.data() + to;
    T* const plane = out + from;
    planes.forEachElement(line, [&](std::size_t at, const Inside& places) {
      for (std::size_t j = places.first; j < places.last; ++j)
        plane[at + j * planes.stride.width] += share[j] / elements;
    });
  });
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                                             \
  template Tensor<T> maxPool(const Tensor<T>&, const Pooling&);                             \
  template Tensor<T> maxPoolDerivative(const Tensor<T>&, const Tensor<T>&, const Pooling&); \
  template Tensor<T> avgPool(const Tensor<T>&, const Pooling&);                             \
  template Tensor<T> avgPoolDerivative(const Tensor<T>&, const Shape&, const Pooling&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
