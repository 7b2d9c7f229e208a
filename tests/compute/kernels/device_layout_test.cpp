#include <tapestry/compute/kernels/device_layout.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/concat.hpp>
#include <tapestry/tensor/kernels/gather.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "support/devices/any_device.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;
using L = DeviceLayout;
using kernels::View;

namespace {

struct LayoutDraw {
  test::Random random;

  Shape shape() {
    std::vector<std::size_t> extents(1 + random.below(4));
    for (std::size_t& extent : extents) extent = 1 + random.below(6);
    return Shape(extents);
  }

  /// Slices from either end and with steps in both directions, of permuted axes.
  View view(const Shape& shape) {
    std::vector<Slice> slices(shape.rank());
    for (std::size_t axis = 0; axis < slices.size(); ++axis) {
      const auto start = static_cast<std::ptrdiff_t>(random.below(shape[axis]));
      if (random.below(2) == 0) slices[axis] = {.start = start, .step = random.below(2) == 0 ? -1 : 2};
    }
    View sliced = View::sliced(shape, slices, "test");
    if (shape.rank() < 2 || random.below(2) == 0) return sliced;
    std::vector<std::size_t> extents(sliced.shape.begin(), sliced.shape.end());
    const std::size_t axis = random.below(shape.rank() - 1);
    std::swap(extents[axis], extents[axis + 1]);
    std::swap(sliced.strides[axis], sliced.strides[axis + 1]);
    sliced.shape = Shape(extents);
    return sliced;
  }

  Indices indices(std::size_t extent) {
    std::vector<std::int64_t> values((1 + random.below(3)) * 2);
    for (std::int64_t& value : values) {
      value = static_cast<std::int64_t>(random.below(extent));
      if (random.below(3) == 0) value -= static_cast<std::int64_t>(extent);
    }
    const std::size_t rows = values.size() / 2;
    return random.below(2) == 0 ? Indices(values) : Indices(Shape{rows, 2}, values);
  }
};

template <class T>
DeviceTensor<T> laidOut(const Tensor<T>& x) {
  return DeviceTensor<T>(testDevice(), x);
}

/// Twice x, an expression.
template <class T>
DeviceTensor<T> twice(const Tensor<T>& x) {
  return DeviceElementwise::multiply(laidOut(x), T{2});
}

}  // namespace

TEST_CASE_TEMPLATE("read and spread are those of the host, of values and expressions", T, float, double) {
  LayoutDraw draw{test::Random(31)};
  for (int round = 0; round < 8; ++round) {
    const Shape shape = draw.shape();
    const View view = draw.view(shape);
    const Tensor<T> x = draw.random.tensor<T>(shape), part = draw.random.tensor<T>(view.shape);
    const Tensor<T> doubled = kernels::add(part, part);
    REQUIRE(hostOf(kernels::read(laidOut(x), view)) == kernels::read(x, view));
    REQUIRE(hostOf(kernels::read(twice(x), view)) == kernels::read(kernels::add(x, x), view));
    REQUIRE(hostOf(kernels::spread(laidOut(part), view, shape)) == kernels::spread(part, view, shape));
    REQUIRE(hostOf(kernels::spread(twice(part), view, shape, 3)) == kernels::spread(doubled, view, shape, 3));
  }
}

TEST_CASE_TEMPLATE("concat is that of the host, of values, expressions and constants", T, float, double) {
  LayoutDraw draw{test::Random(32)};
  for (int round = 0; round < 8; ++round) {
    const Shape shape = draw.shape();
    const std::size_t along = draw.random.below(shape.rank());
    std::vector<Tensor<T>> parts;
    std::vector<DeviceTensor<T>> own;
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<std::size_t> extents(shape.begin(), shape.end());
      extents[along] = draw.random.below(4);
      const Tensor<T> x = draw.random.tensor<T>(Shape(extents));
      const bool isConstant = i == 2;
      parts.push_back(i == 0 ? x : isConstant ? Tensor<T>::full(x.shape(), 7) : kernels::add(x, x));
      own.push_back(i == 0 ? laidOut(x) : isConstant ? DeviceTensor<T>::full(x.shape(), 7) : twice(x));
    }
    const auto axis = static_cast<std::ptrdiff_t>(along);
    REQUIRE(hostOf(kernels::concat(own, axis)) == kernels::concat(parts, axis));
  }
}

TEST_CASE_TEMPLATE("gather and scatter are those of the host, where indices repeat too", T, float, double) {
  LayoutDraw draw{test::Random(33)};
  for (int round = 0; round < 8; ++round) {
    const Shape shape = draw.shape();
    const std::size_t along = draw.random.below(shape.rank());
    const auto axis = static_cast<std::ptrdiff_t>(along);
    const Indices indices = draw.indices(shape[along]);
    const Tensor<T> x = draw.random.tensor<T>(shape);
    const Tensor<T> rows = draw.random.tensor<T>(kernels::gatherShape(shape, indices, axis));
    REQUIRE(hostOf(kernels::gather(laidOut(x), indices, axis)) == kernels::gather(x, indices, axis));
    REQUIRE(hostOf(kernels::gather(twice(x), indices, axis)) ==
            kernels::gather(kernels::add(x, x), indices, axis));
    REQUIRE(hostOf(kernels::scatter(laidOut(rows), indices, axis, shape[along])) ==
            kernels::scatter(rows, indices, axis, shape[along]));
    REQUIRE(hostOf(kernels::scatter(twice(rows), indices, axis, shape[along])) ==
            kernels::scatter(kernels::add(rows, rows), indices, axis, shape[along]));
  }
}

TEST_CASE("a gather is part of the kernel that uses it, and may be reduced") {
  const Tensor<float> x({3, 2}, {1, 2, 3, 4, 5, 6});
  const Indices indices{2, 0, 2, -2};
  const DeviceTensor<float> rows = DeviceElementwise::add(L::gather(laidOut(x), indices, 0), 1);
  const auto before = testDevice().counts();
  CHECK(hostOf(rows) == Tensor<float>({4, 2}, {6, 7, 2, 3, 6, 7, 4, 5}));
  CHECK(testDevice().counts().kernels == before.kernels + 1);
  CHECK(hostOf(DeviceReduction::sum(L::gather(laidOut(x), indices, 0), {0})) == Tensor<float>({2}, {14, 18}));
  const auto twiceChosen = L::gather(L::gather(twice(x), indices, 0), Indices{1, 1}, 0);
  CHECK(hostOf(twiceChosen) == Tensor<float>({2, 2}, {2, 4, 2, 4}));
}

TEST_CASE("a kernel that spreads a value also stores the value if another handle has it") {
  const Tensor<float> x({2}, {1, 2});
  const DeviceTensor<float> y = twice(x), other = y;
  const View view = View::sliced({4}, std::vector<Slice>{{.step = 2}}, "test");
  CHECK(hostOf(L::spread(y, view, {4})) == Tensor<float>({4}, {2, 0, 4, 0}));
  const auto before = testDevice().counts();
  CHECK(hostOf(other) == Tensor<float>({2}, {2, 4}));
  CHECK(testDevice().counts().kernels == before.kernels);
}

TEST_CASE("reductions and random numbers are spread, joined and scattered") {
  const Tensor<float> x({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto sums = [&] { return DeviceReduction::sum(laidOut(x), {1}); };
  CHECK(hostOf(L::concat(std::vector{sums(), sums()}, 0)) == Tensor<float>({4}, {6, 15, 6, 15}));
  CHECK(hostOf(L::scatter(sums(), Indices{1, 1}, 0, 3)) == Tensor<float>({3}, {0, 21, 0}));
  const auto drawn = DeviceTensor<float>::random(testDevice(), {4}, 5);
  CHECK(hostOf(L::spread(DeviceTensor<float>::random(testDevice(), {4}, 5), View::of({4}), {4})) ==
        hostOf(drawn));
}

TEST_CASE("constants keep the device of the tensor that they are made like") {
  const DeviceTensor<float> x = laidOut(Tensor<float>::full({3}, 2));
  const DeviceTensor<float> ones = L::filledLike(x, 1);
  CHECK(ones.device().has_value());
  const DeviceTensor<float> more = DeviceElementwise::add(ones, 1);
  const auto before = testDevice().counts();
  CHECK(hostOf(more) == Tensor<float>::full({3}, 2));
  CHECK(testDevice().counts().kernels == before.kernels);
  CHECK(hostOf(L::scatter(more, Indices{0, 0, 1}, 0, 3)) == Tensor<float>({3}, {4, 2, 0}));
  CHECK(hostOf(L::spread(more, View::sliced({4}, std::vector<Slice>{{0, 3}}, "test"), {4})) ==
        Tensor<float>({4}, {2, 2, 2, 0}));
}

TEST_CASE("empty tensors take no kernel") {
  const DeviceTensor<float> none = laidOut(Tensor<float>::zeros({0, 2}));
  CHECK(hostOf(L::scatter(none, Indices(std::vector<std::int64_t>{}), 0, 2)) == Tensor<float>::zeros({2, 2}));
  CHECK(hostOf(L::gather(none, Indices(std::vector<std::int64_t>{}), 0)) == Tensor<float>::zeros({0, 2}));
  CHECK(hostOf(L::concat(std::vector{none, none}, 0)) == Tensor<float>::zeros({0, 2}));
  CHECK(hostOf(L::spread(none, View::sliced({3, 2}, std::vector<Slice>{{1, 1}}, "test"), {3, 2}, 4)) ==
        Tensor<float>::full({3, 2}, 4));
}

TEST_CASE("layouts refuse shapes, indices and devices as the host does") {
  const auto ones = DeviceTensor<float>::full({3}, 1);
  const DeviceTensor<float> x = laidOut(Tensor<float>::full({3}, 2));
  CHECK_THROWS_AS(L::gather(x, Indices{3}, 0), std::out_of_range);
  CHECK_THROWS_AS(L::gather(x, Indices{0}, 1), ShapeError);
  CHECK_THROWS_AS(L::scatter(x, Indices{0}, 0, 2), ShapeError);
  CHECK_THROWS_AS(L::scatter(x, Indices{0, 1, 2}, 0, 2), std::out_of_range);
  CHECK_THROWS_AS(L::concat(std::vector{x, x}, 1), ShapeError);
  CHECK_THROWS_AS(L::spread(x, View::of({2}), {2}), ShapeError);
  CHECK_THROWS_AS(L::concat(std::vector{ones, ones}, 0), DeviceError);
  CHECK_THROWS_AS(L::scatter(ones, Indices{0, 1, 2}, 0, 3), DeviceError);
  const DeviceTensor<float> elsewhere(Device::open(testDeviceName()), Tensor<float>::full({3}, 2));
  CHECK_THROWS_AS(L::concat(std::vector{x, elsewhere}, 0), DeviceError);
}

TEST_CASE("indices are copied to a device once for each use, and end with the last handle of them") {
  const Device device = Device::open(testDeviceName());
  const DeviceTensor<float> x(device, Tensor<float>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
  {
    const Indices indices{3, 0, -1}, copy = indices;
    const auto before = device.counts();
    CHECK(hostOf(L::gather(x, indices, 0)) == Tensor<float>({3, 2}, {7, 8, 1, 2, 7, 8}));
    CHECK(hostOf(L::gather(x, copy, 0)) == Tensor<float>({3, 2}, {7, 8, 1, 2, 7, 8}));
    CHECK(device.counts().uploads == before.uploads + 1);
    const DeviceTensor<float> rows = L::gather(x, indices, 0);
    CHECK(hostOf(L::scatter(rows, indices, 0, 4))(3, 1) == 16);
    CHECK(hostOf(L::scatter(rows, copy, 0, 4))(3, 1) == 16);
    CHECK(device.counts().uploads == before.uploads + 2);
    CHECK(hostOf(L::scatter(rows, indices, 0, 5))(4, 0) == 7);  // -1 counts from another end
    CHECK(device.counts().uploads == before.uploads + 3);
    CHECK(hostOf(L::gather(DeviceTensor<float>(testDevice(), hostOf(x)), indices, 0))(0, 0) == 7);
  }
  device.finish().blockingAwait();
  CHECK(device.counts().buffers == 1);
}
