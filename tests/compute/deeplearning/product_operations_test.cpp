// Products, einsums and choices of rows on devices: the host's values and gradients.
#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

static_assert(
    std::same_as<DataOf<decltype(dot(Weight<DeviceTensor<float>>({}), Weight<DeviceTensor<float>>({})))>,
                 DeviceTensor<float>>);

TEST_CASE("einsum has the host's values and gradients on a device") {
  test::Random random(40);
  const auto compare = [&](const std::string& labels, const Shape& x, const Shape& y) {
    CAPTURE(labels);
    compareWithHost({random.tensor<float>(x), random.tensor<float>(y)},
                    [=](const auto& w) { return einsum(labels, tanh(w[0]), w[1]); });
  };
  compare("ij,jk->ik", {3, 4}, {4, 5});
  compare("ij,jk->ki", {3, 4}, {4, 5});
  compare("bij,bkj->bik", {2, 3, 4}, {2, 5, 4});
  compare("bhid,bhjd->hbij", {2, 3, 4, 2}, {2, 3, 5, 2});
  compare("ij,ik", {4, 3}, {4, 2});
  compare("ijk,k->j", {2, 3, 4}, {4});
  compare("i,j->ji", {3}, {4});
  compare("ij,ij->", {3, 4}, {3, 4});
}

TEST_CASE("dot and outer have the host's values and gradients on a device") {
  test::Random random(41);
  const auto x = random.tensor<float>({7}), y = random.tensor<float>({7});
  const auto on = [](const Tensor<float>& values) { return DeviceTensor<float>(testDevice(), values); };
  compareWithHost({x, y}, [](const auto& w) { return outer(w[0] * 2, w[1]); });
  const Weight<Tensor<float>> a(x), b(y);
  const Weight<DeviceTensor<float>> ownA(on(x)), ownB(on(y));
  const auto expected = gradients(dot(a, b * b)).blockingAwait();
  const auto got = gradients(dot(ownA, ownB * ownB)).blockingAwait();
  CHECK(hostOf(got.loss).item() == doctest::Approx(expected.loss).epsilon(1e-5));
  CHECK(isClose(hostOf(got.of(ownA)), expected.of(a), 1e-5));
  CHECK(isClose(hostOf(got.of(ownB)), expected.of(b), 1e-5));
}

TEST_CASE("embedding has the host's values and gradients on a device, where rows repeat too") {
  test::Random random(42);
  const auto table = random.tensor<float>({6, 4});
  const Indices chosen(Shape{2, 3}, {0, 5, -1, 2, 2, 0});
  const Weight<Table<float>> onHost{Table<float>(table)};
  const Weight<DeviceTensor<float>> onDevice(DeviceTensor<float>(testDevice(), table));
  const auto expected = embedding(onHost, chosen);
  const auto got = embedding(onDevice, chosen);
  CHECK(hostOf(predict(got).blockingAwait()) == predict(expected).blockingAwait());
  const Weight<Tensor<float>> dense(table);
  const auto gathered = gather(dense, chosen);
  CHECK(isClose(hostOf(gradients(sum(got * got)).blockingAwait().of(onDevice)),
                gradients(sum(gathered * gathered)).blockingAwait().of(dense), 1e-5));
  CHECK(errorOf([&] { return embedding(onDevice, Indices{6}); }) ==
        errorOf([&] { return embedding(onHost, Indices{6}); }));
  const Weight<DeviceTensor<float>> flat(DeviceTensor<float>::zeros({6}));
  CHECK(errorOf([&] { return embedding(flat, Indices{0}); }) ==
        "tapestry::embedding: not a table, got [6], expected [V, D]");
}

TEST_CASE("argmax yields the host's indices from a device") {
  test::Random random(43);
  for (const Shape& shape : {Shape{7}, Shape{4, 300}, Shape{3, 4, 5}}) {
    Tensor<float> x = random.integers<float>(shape);
    x.exclusiveData()[2] = std::numeric_limits<float>::quiet_NaN();
    const DeviceTensor<float> own(testDevice(), x);
    for (std::ptrdiff_t axis = -1; axis < static_cast<std::ptrdiff_t>(shape.rank()); ++axis)
      for (const bool keepDims : {false, true})
        CHECK(argmax(own * 2.0F, axis, keepDims).blockingAwait() == argmax(x, axis, keepDims));
    CHECK(errorOf([&] { return argmax(own, 3); }) == errorOf([&] { return argmax(x, 3); }));
  }
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Tensor<float> lowest = Tensor<float>::full({2, 3}, -infinity);
  CHECK(argmax(DeviceTensor<float>(testDevice(), lowest), 1).blockingAwait() == argmax(lowest, 1));
  CHECK(argmax(DeviceTensor<float>::zeros({2, 3}), 1).blockingAwait() == Indices{0, 0});
  const auto none = Tensor<float>::zeros({2, 0});
  CHECK(errorOf([&] { return argmax(DeviceTensor<float>(testDevice(), none), 1); }) ==
        errorOf([&] { return argmax(none, 1); }));
}

TEST_CASE("choices by a comparison have the host's values and gradients on a device") {
  test::Random random(44);
  const auto x = random.tensor<float>({4, 5}), y = random.tensor<float>({4, 5});
  compareWithHost({x, y}, [](const auto& w) { return where(w[0] > w[1], w[0] * 2, w[1]); });
  compareWithHost({x, y}, [](const auto& w) { return w[0] * (w[0] <= w[1]) + w[1] * sign(w[0]); });
  compareWithHost({x, y}, [](const auto& w) { return clamp(w[0], -0.5, 1) * w[1]; });
}
