// What DeepLearning.scala tests of networks of n-dimensional arrays, as far as the operations are the same.
#include <doctest/doctest.h>

#include <functional>
#include <numeric>
#include <vector>

#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

using Network = std::function<DoubleTensorLayer(const DoubleTensorWeight&)>;

const Tensor<double> ones = Tensor<double>::full({4, 4}, 1);

DoubleTensorWeight filled(double value) {
  return DoubleTensorWeight(Tensor<double>::full({4, 4}, value), sgd(1));
}

/// from, from + 1, ... in the shape.
Tensor<double> counting(const Shape& shape, double from) {
  std::vector<double> values(shape.size());
  std::iota(values.begin(), values.end(), from);
  return Tensor<double>(shape, values);
}

template <class F>
void trainTimes(int times, const F& network, const DoubleTensorWeight& weight) {
  for (int i = 0; i < times; ++i) train(network(weight)).blockingAwait();
}

struct Result {
  double loss;
  double weights;
  bool operator==(const Result&) const = default;
};

/// The sums of the prediction and of the weight after some trainings.
Result trained(int times, double start, const Network& network) {
  const DoubleTensorWeight weight = filled(start);
  trainTimes(times, network, weight);
  return {predict(sum(network(weight))).blockingAwait(), sum(weight.data())};
}

}  // namespace

TEST_CASE("array + array, array + double, double + array") {
  CHECK(trained(2, 1, [](const auto& w) { return w + ones; }) == Result{0, -16});
  CHECK(trained(2, 1, [](const auto& w) { return w + 1.0; }) == Result{0, -16});
  CHECK(trained(2, 1, [](const auto& w) { return 1.0 + w; }) == Result{0, -16});
}

TEST_CASE("array - array, array - double, double - array") {
  CHECK(trained(2, 1, [](const auto& w) { return w - (-ones); }) == Result{0, -16});
  CHECK(trained(2, 1, [](const auto& w) { return w - (-1.0); }) == Result{0, -16});
  CHECK(trained(2, -1, [](const auto& w) { return 1.0 - w; }) == Result{0, 16});
}

TEST_CASE("array * array, array * double, double * array") {
  CHECK(trained(2, 2, [](const auto& w) { return w * ones; }) == Result{0, 0});
  CHECK(trained(2, 2, [](const auto& w) { return w * 1.0; }) == Result{0, 0});
  CHECK(trained(2, 2, [](const auto& w) { return 1.0 * w; }) == Result{0, 0});
}

TEST_CASE("array / array, array / double, double / array") {
  CHECK(trained(2, 2, [](const auto& w) { return w / ones; }) == Result{0, 0});
  CHECK(trained(2, 2, [](const auto& w) { return w / 1.0; }) == Result{0, 0});
  const auto reciprocal = trained(20'000, 1, [](const auto& w) { return 1.0 / w; });
  CHECK(reciprocal.loss < 0.5);
  CHECK(reciprocal.weights > 600);
}

TEST_CASE("max of an array and a double, and min as its mirror image") {
  CHECK(trained(10, 10, [](const auto& w) { return max(w, 0.0); }) == Result{0, 0});
  CHECK(trained(10, 10, [](const auto& w) { return -max(-w, -100.0); }) == Result{0, 0});
}

TEST_CASE("exp, log and abs of an array") {
  const auto exponential = trained(50, 10, [](const auto& w) { return exp(w); });
  CHECK(exponential.loss < 1);
  CHECK(exponential.weights < 1);
  const auto logarithm = trained(50, 10, [](const auto& w) { return log(w); });
  CHECK(logarithm.loss < 10);
  CHECK(logarithm.weights < 22);
  const auto absolute = trained(10, 10, [](const auto& w) { return abs(w); });
  CHECK(absolute.loss < 1);
  CHECK(absolute.weights < 1);
}

TEST_CASE("the product of two matrices") {
  CHECK(trained(10, 10, [](const auto& w) { return matmul(ones, w); }) == Result{-1920, -480});
}

TEST_CASE("the product of two arrays with four axes") {
  const auto input = counting({1, 2, 3, 4}, 0);
  const DoubleTensorWeight weight(input, sgd(1));
  const auto network = [&](const auto& w) { return w * input; };
  CHECK(mean(train(network(weight)).blockingAwait()) ==
        doctest::Approx(180.16666666666666667).epsilon(1e-14));
  trainTimes(99, network, weight);
  CHECK(predict(mean(network(weight))).blockingAwait() < 1);
}

TEST_CASE("the sum and the mean of an array") {
  const DoubleTensorWeight summed(counting({2, 3, 3, 3}, 1), sgd(1));
  trainTimes(
      54, [](const auto& w) { return sum(w); }, summed);
  CHECK(predict(sum(summed)).blockingAwait() < 1);
  const DoubleTensorWeight averaged(counting({2, 3, 3, 3}, 1), sgd(1));
  trainTimes(
      27, [](const auto& w) { return mean(w); }, averaged);
  CHECK(predict(mean(averaged)).blockingAwait() < 27.5);
}
