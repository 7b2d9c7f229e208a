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

TEST_CASE("max of an array and a double, min of an array and a double") {
  CHECK(trained(10, 10, [](const auto& w) { return max(w, 0.0); }) == Result{0, 0});
  CHECK(trained(10, 10, [](const auto& w) { return min(w, 100.0); }) == Result{0, 0});
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

TEST_CASE("reshape: all elements are there, and each is trained") {
  const DoubleTensorWeight weight(counting({2, 3, 3, 3}, 0), sgd(1));
  const auto network = [](const auto& w) { return reshape(w, {2, 3, 9}); };
  CHECK(sum(train(network(weight)).blockingAwait()) == 1431);
  trainTimes(99, network, weight);
  CHECK(predict(sum(network(weight))).blockingAwait() == 1431 - 100 * 54);
}

TEST_CASE("permute: all elements are there in another order, and each is trained") {
  const DoubleTensorWeight weight(counting({2, 3, 3, 3}, 0), sgd(1));
  const auto network = [](const auto& w) { return permute(w, {0, 2, 3, 1}); };
  const auto before = train(network(weight)).blockingAwait();
  CHECK(sum(before) == 1431);
  CHECK(before(1, 0, 2, 1) == 27 + 9 + 2);
  trainTimes(99, network, weight);
  CHECK(predict(sum(network(weight))).blockingAwait() == 1431 - 100 * 54);
}

TEST_CASE("the sum along the first axis of a matrix") {
  const DoubleTensorWeight weight(counting({2, 3}, 1), sgd(1));
  CHECK(train(sum(weight, {0})).blockingAwait() == Tensor<double>({3}, {5, 7, 9}));
  CHECK(weight.data() == counting({2, 3}, 0));
  CHECK(predict(sum(weight, {0})).blockingAwait() == Tensor<double>({3}, {3, 5, 7}));
}

TEST_CASE("the sum along the first two of four axes") {
  const DoubleTensorWeight weight(counting({2, 3, 3, 3}, 1), sgd(1));
  // 6 times 1 to 9, and 9 * (0 + ... + 5)
  const Tensor<double> sums({3, 3}, {141, 147, 153, 159, 165, 171, 177, 183, 189});
  CHECK(train(sum(weight, {0, 1})).blockingAwait() == sums);
  CHECK(predict(sum(weight, {0, 1})).blockingAwait() == sums - 6.0);
}

TEST_CASE("only the selected element is trained") {
  const DoubleTensorWeight weight(counting({2, 3}, 1), sgd(1));
  const auto selected = slice(weight, {Slice::at(0), Slice::at(2)});
  CHECK(train(sum(selected)).blockingAwait() == 3);
  CHECK(weight.data() == Tensor<double>({2, 3}, {1, 2, 2, 4, 5, 6}));
}

TEST_CASE("hinge: after ten trainings of a linear classifier the loss is not larger than before") {
  const DoubleTensorWeight weight(Tensor<double>({2, 1}, {-0.5, 0.25}), sgd(0.1));
  const DoubleWeight bias(0.5, sgd(0.1));
  const Tensor<double> inputs({4, 2}, {1, 2, 2, 1, -1, -2, -2, -1});
  const Tensor<double> labels({4, 1}, {1, 1, -1, -1});
  const auto loss = hinge(matmul(inputs, weight) + bias, labels);
  const double first = train(loss).blockingAwait();
  for (int i = 1; i < 10; ++i) train(loss).blockingAwait();
  CHECK(predict(loss).blockingAwait() <= first);
  CHECK(predict(loss).blockingAwait() < 0.5);
}
