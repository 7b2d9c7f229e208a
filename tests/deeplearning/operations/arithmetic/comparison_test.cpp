#include <tapestry/deeplearning/operations/arithmetic/comparison.hpp>
#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>
#include <tapestry/deeplearning/operations/arithmetic/sqrt.hpp>
#include <tapestry/deeplearning/operations/arithmetic/where.hpp>
#include <tapestry/deeplearning/train.hpp>
#include <tapestry/deeplearning/training/check_loss.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::DoubleWeight;
using tapestry::ShapeError;
using tapestry::Tensor;
using tapestry::TensorLayer;
using tapestry::TensorWeight;

static_assert(std::same_as<decltype(tapestry::greater(1.0, 2.0)), double>);
static_assert(std::same_as<decltype(Tensor<float>() > 0), Tensor<float>>);
static_assert(std::same_as<decltype(TensorWeight({}) > 0), TensorLayer>);
static_assert(std::same_as<decltype(0.5 <= DoubleWeight(1)), DoubleLayer>);
static_assert(std::same_as<decltype(TensorWeight({}) == Tensor<float>()), TensorLayer>);
static_assert(std::same_as<decltype(DoubleWeight(1) != 2), DoubleLayer>);
static_assert(std::same_as<decltype(Tensor<float>() == Tensor<float>()), bool>);

namespace {

struct Comparison {
  const char* name;
  double (*ofScalars)(double, double);
  Tensor<double> (*ofTensors)(const Tensor<double>&, const Tensor<double>&);
  DoubleTensorLayer (*ofLayers)(const DoubleTensorLayer&, const DoubleTensorLayer&);
  double (*expected)(double, double);
};

#define COMPARISON(name, op)                                                                                \
  Comparison {                                                                                              \
    #name, [](double x, double y) { return tapestry::name(x, y); },                                         \
        [](const Tensor<double>& x, const Tensor<double>& y) { return tapestry::name(x, y); },              \
        [](const DoubleTensorLayer& x, const DoubleTensorLayer& y) -> DoubleTensorLayer { return x op y; }, \
        [](double x, double y) { return x op y ? 1.0 : 0.0; }                                               \
  }
const Comparison comparisons[] = {COMPARISON(greater, >), COMPARISON(greaterEqual, >=),
                                  COMPARISON(less, <),    COMPARISON(lessEqual, <=),
                                  COMPARISON(equal, ==),  COMPARISON(notEqual, !=)};
#undef COMPARISON

}  // namespace

TEST_CASE("comparisons are those of C++, 1 or 0, also of NaN, of infinities and of both zeros") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values{-infinity, -2, -0.0, 0.0, 1, 2, infinity, nan};
  const std::size_t n = values.size();
  const Tensor<double> column({n, 1}, values);
  const Tensor<double> row({n}, values);
  for (const auto& [name, ofScalars, ofTensors, ofLayers, expected] : comparisons) {
    INFO(name);
    std::vector<double> expectations;
    for (const double x : values)
      for (const double y : values) {
        CHECK(ofScalars(x, y) == expected(x, y));
        expectations.push_back(expected(x, y));
      }
    const Tensor<double> all({n, n}, expectations);
    CHECK(ofTensors(column, row) == all);
    CHECK(ofTensors(tapestry::kernels::broadcastTo(column, {n, n}), row) == all);
    CHECK(valueOf(ofLayers(DoubleTensorLayer(column), DoubleTensorLayer(row))) == all);
  }
}

TEST_CASE("comparisons mix scalars, tensors, layers and whole numbers") {
  const Tensor<double> x({3}, {-1, 0, 2});
  CHECK((x > 0) == Tensor<double>({3}, {0, 0, 1}));
  CHECK((0 >= x) == Tensor<double>({3}, {1, 1, 0}));
  CHECK(valueOf(DoubleTensorWeight(x) < 0.5) == Tensor<double>({3}, {1, 1, 0}));
  CHECK(valueOf(DoubleLayer(0) == DoubleTensorLayer(x)) == Tensor<double>({3}, {0, 1, 0}));
  CHECK(valueOf(2 != DoubleTensorLayer(x)) == Tensor<double>({3}, {1, 1, 0}));
  CHECK(valueOf(DoubleWeight(3) <= 3) == 1);
  CHECK(tapestry::equal(Tensor<float>({2}, {1, 2}), 2) == Tensor<float>({2}, {0, 1}));
}

TEST_CASE("where chooses by a comparison, which passes no delta on") {
  const DoubleTensorWeight x(Tensor<double>({4}, {-2, 3, 0, 5}));
  const auto layer = where(x > 0, x * x, 7);
  CHECK(valueOf(layer) == Tensor<double>({4}, {7, 9, 7, 25}));
  CHECK(tapestry::gradients(layer).blockingAwait().of(x) == Tensor<double>({4}, {0, 6, 0, 10}));
  for (const auto& comparison : comparisons) {
    INFO(comparison.name);
    const auto chosen = comparison.ofLayers(x * 1.0, DoubleTensorLayer(Tensor<double>({4}, {1, 1, 0, 9})));
    CHECK(tapestry::gradients(chosen).blockingAwait().of(x) == Tensor<double>::zeros({4}));
  }
}

TEST_CASE(
    "a layer that only a comparison reads gets no delta, not even where its derivative would be infinite") {
  const DoubleWeight w(0, tapestry::sgd(1));
  CHECK(tapestry::train(where(sqrt(w) > 0.5, w * 1.0, w * 2.0)).blockingAwait() == 0);
  CHECK(w.data() == -2);
  CHECK_THROWS_AS(tapestry::checkLoss(tapestry::train(tapestry::greater(w, 0.5))).blockingAwait(),
                  std::invalid_argument);
  const DoubleWeight condition(1);
  CHECK_THROWS_AS(tapestry::checkLoss(tapestry::train(where(condition, 2.0, 3.0))).blockingAwait(),
                  std::invalid_argument);
}

TEST_CASE("shapes that do not broadcast are refused by comparisons, which name themselves") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::zeros({2});
  const std::string rest =
      ": shapes do not broadcast, got [2, 3] and [2], expected extents that are equal or 1, aligned at the "
      "last axis";
  for (const auto& comparison : comparisons) {
    const std::string message = std::string("tapestry::") + comparison.name + rest;
    CHECK_THROWS_WITH_AS(comparison.ofTensors(x.data(), y), message.c_str(), ShapeError);
    CHECK_THROWS_WITH_AS(comparison.ofLayers(x * 1.0, DoubleTensorLayer(y)), message.c_str(), ShapeError);
  }
}
