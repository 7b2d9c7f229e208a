#include <tapestry/tensor/kernels/pooling.hpp>

#include <tapestry/tensor/shape_error.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using kernels::Pooling;
using namespace tapestry::test;

namespace {

/// The elements of one plane in a window, by the definition.
struct SeenByWindow {
  HeightWidth stride;
  std::vector<std::size_t> elements;

  SeenByWindow(const Pooling& pooling, HeightWidth plane, std::size_t i, std::size_t j)
      : stride(pooling.stride == 0 ? pooling.window : pooling.stride) {
    for (std::size_t p = 0; p < pooling.window.height; ++p)
      for (std::size_t q = 0; q < pooling.window.width; ++q) {
        const std::size_t line = i * stride.height + p - pooling.padding.height;
        const std::size_t column = j * stride.width + q - pooling.padding.width;
        if (line < plane.height && column < plane.width) elements.push_back(line * plane.width + column);
      }
  }
};

/// Whether each element is near the expected one, divided.
template <class T>
bool areNear(const Tensor<T>& got, const Tensor<T>& expected, T divisor) {
  bool all = got.shape() == expected.shape();
  for (std::size_t i = 0; i < got.size() && all; ++i)
    all = isNear(got.data()[i], static_cast<double>(expected.data()[i] / divisor), 64);
  return all;
}

/// Calls body(where the plane starts, what the window sees, index in the result) for each window.
template <class F>
void forEachWindow(const Pooling& pooling, const Shape& x, const F& body) {
  const Shape y = pooling.shapeOf("maxPool2d", x);
  for (std::size_t to = 0; to < y.size(); ++to)
    body(to / (y[1] * y[2]) * x[1] * x[2],
         SeenByWindow(pooling, {x[1], x[2]}, to / y[2] % y[1], to % y[2]).elements, to);
}

}  // namespace

TEST_CASE_TEMPLATE("poolings of any extents, and their derivatives, are those of their definition", T, float,
                   double) {
  Random random(25);
  for (int round = 0; round < 150; ++round) {
    const HeightWidth window(1 + random.below(4), 1 + random.below(4));
    const HeightWidth stride =
        random.below(3) == 0 ? 0 : HeightWidth(1 + random.below(4), 1 + random.below(4));
    const Pooling pooling{window, stride, {random.below(window.height), random.below(window.width)}};
    const Shape shape{random.below(4), window.height + random.below(8),
                      window.width + random.below(round < 75 ? 8 : 50)};
    const auto x = random.integers<T>(shape);
    const Shape result = pooling.shapeOf("maxPool2d", shape);
    const auto delta = random.integers<T>(result);
    auto most = Tensor<T>::full(result, -100), mean = Tensor<T>::zeros(result);
    auto mostDelta = Tensor<T>::zeros(shape), meanDelta = Tensor<T>::zeros(shape);
    forEachWindow(pooling, shape, [&](std::size_t plane, const auto& elements, std::size_t to) {
      const T* const from = x.data() + plane;
      T& largest = most.exclusiveData()[to];
      for (const std::size_t i : elements) largest = std::max(largest, from[i]);
      T ties = 0;
      for (const std::size_t i : elements) ties += from[i] == largest;
      for (const std::size_t i : elements) {
        if (from[i] == largest) mostDelta.exclusiveData()[plane + i] += delta.data()[to] / ties;
        mean.exclusiveData()[to] += from[i];
        meanDelta.exclusiveData()[plane + i] += delta.data()[to];
      }
    });
    const auto area = static_cast<T>(window.height * window.width);
    onEachInstructionSet([&] {
      CHECK(kernels::maxPool(x, pooling) == most);
      CHECK(areNear(kernels::maxPoolDerivative(delta, x, pooling), mostDelta, T{1}));
      CHECK(areNear(kernels::avgPool(x, pooling), mean, area));
      CHECK(areNear(kernels::avgPoolDerivative(delta, shape, pooling), meanDelta, area));
    });
  }
}

TEST_CASE("derivatives of poolings refuse a delta of another shape") {
  const auto x = Tensor<float>::zeros({4, 4});
  CHECK_THROWS_WITH_AS(kernels::maxPoolDerivative(x, x, {2}),
                       "tapestry::maxPool2d: a delta of the wrong shape, got [4, 4], expected [2, 2]",
                       tapestry::ShapeError);
  CHECK_THROWS_WITH_AS(kernels::avgPoolDerivative(x, x.shape(), {2}),
                       "tapestry::avgPool2d: a delta of the wrong shape, got [4, 4], expected [2, 2]",
                       tapestry::ShapeError);
}

TEST_CASE("NaN comes through wide windows on each instruction set, and what it hides has no delta") {
  for (const std::size_t stride : {1U, 2U, 3U}) {
    auto x = Tensor<float>::full({1, 60}, 1);
    x.exclusiveData()[31] = NAN;
    const Pooling pooling{.window = {1, 2}, .stride = {1, stride}};
    onEachInstructionSet([&] {
      const auto y = kernels::maxPool(x, pooling);
      const auto dx = kernels::maxPoolDerivative(y, x, pooling);
      for (std::size_t j = 0; j < y.size(); ++j) {
        const bool sees = j * stride == 31 || j * stride == 30;
        CHECK(std::isnan(y.data()[j]) == sees);
      }
      CHECK(dx.data()[31] == 0);
      CHECK(dx.data()[3] > 0);
    });
  }
}

TEST_CASE("the kernels and the shape of a pooling refuse a window without elements") {
  const auto x = Tensor<float>::full({1, 4, 4}, 1);
  const Pooling empty{.window = 0};
  CHECK_THROWS_AS(static_cast<void>(kernels::maxPool(x, empty)), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(kernels::avgPool(x, empty)), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(kernels::maxPoolDerivative(x, x, empty)), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(kernels::avgPoolDerivative(x, x.shape(), empty)), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(empty.shapeOf("maxPool2d", x.shape())), std::invalid_argument);
}
