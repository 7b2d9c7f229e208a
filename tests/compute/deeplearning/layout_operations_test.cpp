// The layout operations of device tensors: the same values and gradients as on the host.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using LayoutDevice = DeviceTensor<float>;
using LayoutHost = Tensor<float>;

/// Compares an operation of a weight with the host, and one of a part of a network.
template <class F>
void compareLayout(const std::string& name, const Shape& shape, const F& operation) {
  CAPTURE(name);
  CAPTURE(toString(shape));
  test::Random random(41);
  const std::vector values{random.tensor<float>(shape)};
  compareWithHost(values, [&](const auto& w) { return operation(w[0]); });
  compareWithHost(values, [&](const auto& w) { return operation(tanh(w[0])); });
}

/// Calls f with shapes of three axes.
template <class F>
void forLayoutShapes(const F& f) {
  test::Random random(42);
  for (int round = 0; round < 3; ++round) {
    const auto extent = [&] { return 1 + random.below(5); };
    f(Shape{extent(), extent(), extent()}, random);
  }
}

}  // namespace

static_assert(std::same_as<DataOf<decltype(element(Weight<LayoutDevice>({}), {}))>, LayoutDevice>);
static_assert(std::same_as<DataOf<decltype(concat(std::vector<Weight<LayoutDevice>>()))>, LayoutDevice>);

TEST_CASE("operations that rename elements have the host's values and gradients") {
  forLayoutShapes([](const Shape& shape, test::Random&) {
    compareLayout("reshape", shape, [=](const auto& x) { return reshape(x, {shape.size()}); });
    compareLayout("permute", shape, [](const auto& x) { return permute(x, {2, 0, -2}); });
    compareLayout("transpose of a stack", shape, [](const auto& x) { return transpose(x); });
    compareLayout("transpose", {shape[0], shape[1]}, [](const auto& x) { return transpose(x); });
    compareLayout("broadcastTo", {shape[0], 1}, [=](const auto& x) {
      return broadcastTo(x, {3, shape[0], shape[2]});
    });
    compareLayout("expandDims", shape, [](const auto& x) { return expandDims(x, -2); });
  });
}

TEST_CASE("operations that choose or move elements have the host's values and gradients") {
  forLayoutShapes([](const Shape& shape, test::Random& random) {
    const auto step = random.below(2) == 0 ? -1 : 2;
    const auto first = static_cast<std::ptrdiff_t>(random.below(shape[2]));
    compareLayout("slice", shape, [=](const auto& x) {
      return slice(x, {Slice{.step = step}, Slice{}, Slice{.start = first}});
    });
    compareLayout("split", shape, [](const auto& x) {
      const auto parts = split(x, 3, 2, 1);
      return concat(std::vector{parts[2], parts[0], parts[0]}, 1);
    });
    compareLayout("pad", shape, [](const auto& x) { return pad(x, {{1, 2}, {0, 3}}, 0.5); });
    compareLayout("translate", shape, [](const auto& x) { return translate(x, {1, -2}); });
    const auto last = static_cast<std::ptrdiff_t>(shape[1]) - 1;
    compareLayout("element", shape, [=](const auto& x) { return x(0, last, -1); });
  });
}

TEST_CASE("operations that join elements have the host's values and gradients") {
  forLayoutShapes([](const Shape& shape, test::Random& random) {
    const auto axis = static_cast<std::ptrdiff_t>(random.below(3));
    compareLayout("concat", shape, [=](const auto& x) {
      return concat(std::vector{-x, x * 2.0F, exp(x)}, axis);
    });
    compareLayout("stack", shape, [=](const auto& x) { return stack(std::vector{-x, exp(x)}, axis); });
  });
}

TEST_CASE("operations by indices have the host's values and gradients, where indices repeat too") {
  forLayoutShapes([](const Shape& shape, test::Random& random) {
    const auto axis = static_cast<std::ptrdiff_t>(random.below(3));
    const std::size_t extent = shape[static_cast<std::size_t>(axis)];
    const auto index = [&] { return static_cast<std::int64_t>(random.below(extent)); };
    const Indices chosen(Shape{2, 2}, {index(), index(), -1, index()});
    compareLayout("gather", shape, [=](const auto& x) { return gather(x, chosen, axis); });
    std::vector<std::int64_t> places(extent);
    for (std::int64_t& place : places) place = static_cast<std::int64_t>(random.below(4));
    const Indices targets(places);
    compareLayout("scatter", shape, [=](const auto& x) { return scatter(x, targets, axis, 4); });
  });
}

TEST_CASE("a layout operation on a constant weight of a device's network has the host's gradient") {
  const LayoutDevice x(testDevice(), LayoutHost({2}, {3, 5}));
  const Weight<LayoutDevice> bias(LayoutDevice::zeros({4}));
  const auto loss = sum(slice(bias, {Slice{.step = 2}}) * x);
  CHECK(hostOf(gradients(loss).blockingAwait().of(bias)) == LayoutHost({4}, {3, 0, 5, 0}));
}

TEST_CASE("a device that does not fuse has the host's values and gradients of layout operations") {
  const Device device = Device::open(testDeviceName(), {.fuse = false});
  const LayoutHost a({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto loss = [](const auto& x) {
    return sum(gather(concat(std::vector{x * 2.0F, transpose(reshape(x, {2, 3}))}), Indices{0, 4, 4}) *
               slice(x, {Slice{.step = -1}}));
  };
  const Weight<LayoutHost> x(a);
  const Weight<LayoutDevice> y(LayoutDevice(device, a));
  CHECK(isClose(hostOf(gradients(loss(y)).blockingAwait().of(y)), gradients(loss(x)).blockingAwait().of(x),
                1e-5));
}
