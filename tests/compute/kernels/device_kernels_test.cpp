#include <tapestry/compute/kernels/device_kernels.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/concat.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/gather.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/kernels/view.hpp>

#include "support/devices/any_device.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// The same code for both types.
template <class X>
X normalised(const X& x, const X& w) {
  const X product = kernels::matmul(x, w);
  return kernels::softmax(kernels::tanh(kernels::add(product, 1)), Axes{-1});
}

/// A value of the host, and the device's value of the same expression.
struct Pair {
  Tensor<float> host;
  DeviceTensor<float> own;
};

template <class F>
Pair both(const Pair& x, const F& f) {
  return {f(x.host), f(x.own)};
}

/// Slices, most of which are the first elements of their axis, since these lie in the order of the whole.
kernels::View someOf(test::Random& random, const Shape& shape) {
  std::vector<Slice> slices(random.below(2) == 0 ? 1 : 1 + random.below(shape.rank()));
  for (std::size_t axis = 0; axis < slices.size(); ++axis) {
    const std::size_t start = random.below(4) == 0 ? random.below(shape[axis]) : 0;
    const std::size_t stop = start + 1 + random.below(shape[axis] - start);
    slices[axis] = {.start = static_cast<std::ptrdiff_t>(start), .stop = static_cast<std::ptrdiff_t>(stop)};
  }
  return kernels::View::sliced(shape, slices, "test");
}

Indices someRows(test::Random& random, std::size_t extent) {
  std::vector<std::int64_t> rows(1 + random.below(4));
  for (std::int64_t& row : rows) row = static_cast<std::int64_t>(random.below(extent));
  return Indices(rows);
}

/// An expression of x, and of y where the shapes of both permit it.
Pair drawn(test::Random& random, const Pair& x, const Pair& y) {
  const Shape& shape = x.host.shape();
  const auto axis = static_cast<std::ptrdiff_t>(random.below(shape.rank()));
  switch (random.below(11)) {
    case 0:
      return both(x, [](const auto& a) { return kernels::tanh(a); });
    case 1:
    case 2:
    case 3:
      if (y.host.shape() == shape) return {kernels::add(x.host, y.host), kernels::add(x.own, y.own)};
      return both(x, [](const auto& a) { return kernels::multiply(a, 0.5F); });
    case 4: {
      const Indices rows = someRows(random, shape[static_cast<std::size_t>(axis)]);
      return both(x, [&](const auto& a) { return kernels::gather(a, rows, axis); });
    }
    case 5:
      return both(x, [&](const auto& a) { return kernels::sum(a, {axis}, true); });
    case 6:
      return both(x, [](const auto& a) { return a.reshape({a.size()}); });
    case 7:
      if (x.host.size() < 500)
        return both(x, [](const auto& a) { return kernels::concat(std::vector{a, a}, 0); });
      [[fallthrough]];
    default: {
      const kernels::View view = someOf(random, shape);
      if (random.below(4) == 0) return both(x, [&](const auto& a) { return kernels::read(a, view); });
      return both(x, [&](const auto& a) { return kernels::read(kernels::add(a, 0.5F), view); });
    }
  }
}

static_assert(OwnKernels<DeviceTensor<float>> && OwnKernels<DeviceTensor<double>>);

}  // namespace

TEST_CASE("code that calls kernels serves tensors of the host and of devices") {
  const Tensor<float> x(Shape{2, 3}, {1, 2, 3, 4, 5, 6}),
      w(Shape{3, 2}, {0.1F, 0.2F, 0.3F, -0.1F, -0.2F, 0.4F});
  const DeviceTensor<float> ownX(testDevice(), x), ownW(testDevice(), w);
  CHECK(isClose(hostOf(normalised(ownX, ownW)), normalised(x, w), 1e-5));
}

TEST_CASE("random expressions with views, rows, reductions and concatenations have the host's values") {
  test::Random random(7);
  for (int round = 0; round < 25; ++round) {
    CAPTURE(round);
    std::vector<Pair> values;
    for (int i = 0; i < 2; ++i) {
      const Tensor<float> x =
          random.tensor<float>({3 + random.below(4), 1 + random.below(5), 1 + random.below(5)});
      values.push_back({x, DeviceTensor<float>(testDevice(), x)});
    }
    for (std::size_t i = 1 + random.below(16); i > 0; --i) {
      const std::size_t one = random.below(values.size()), other = random.below(values.size());
      values.push_back(drawn(random, values[one], values[other]));
      if (values.size() > 7)
        values.erase(values.begin() + 2 + static_cast<std::ptrdiff_t>(random.below(values.size() - 3)));
    }
    // first those that are computed together with others, then all
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
    for (const Pair& value : values) value.own.compute();
    for (const Pair& value : values) REQUIRE(isClose(hostOf(value.own), value.host, 1e-5));
  }
}
