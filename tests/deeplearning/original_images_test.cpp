// What DeepLearning.scala tests of networks of images: columns of patches, convolutions and maxima.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

/// from, from + 1, ... in the shape.
Tensor<double> ascending(const Shape& shape, double from) {
  std::vector<double> values(shape.size());
  std::iota(values.begin(), values.end(), from);
  return Tensor<double>(shape, values);
}

/// The patches of three channels, spread out: a filter for each place in a patch, which sees that place
/// alone.
template <class X>
auto imageToColumns(const X& x, std::size_t kernel, std::size_t padding) {
  const std::size_t places = kernel * kernel;
  auto filters = Tensor<double>::zeros({3 * places, 1, kernel, kernel});
  for (std::size_t i = 0; i < 3 * places; ++i) filters.exclusiveData()[i * places + i % places] = 1;
  return conv2d(x, filters, {.padding = padding, .groups = 3});
}

/// Trains as if the delta of each output were the output.
template <class L>
void trainToZero(const L& layer) {
  train(0.5 * sum(layer * layer)).blockingAwait();
}

}  // namespace

TEST_CASE("im2col: the patches of an image hold each element as often as a patch sees it") {
  const DoubleTensorWeight weight(-ascending({2, 3, 3, 3}, 1), sgd(0.03));
  const auto columns = train(imageToColumns(weight, 3, 1)).blockingAwait();
  CHECK(columns.size() == 2 * 3 * 9 * 9);
  CHECK(sum(columns) == -8085);
}

TEST_CASE("im2col: a thousand trainings take the sum of the patches below one") {
  const DoubleTensorWeight weight(ascending({2, 3, 3, 3}, 1), sgd(0.01));
  const auto columns = imageToColumns(weight, 3, 1);
  for (int i = 0; i < 1000; ++i) train(columns).blockingAwait();
  CHECK(predict(sum(columns)).blockingAwait() < 1);
}

TEST_CASE("im2col: the patches of -w come close to zero in a hundred trainings") {
  const DoubleTensorWeight weight(ascending({2, 3, 3, 3}, 1), sgd(0.03));
  const auto columns = imageToColumns(-weight, 3, 1);
  CHECK(predict(sum(columns)).blockingAwait() == -8085);
  for (int i = 0; i < 101; ++i) trainToZero(columns);
  CHECK(std::abs(predict(sum(columns)).blockingAwait()) < 1);
}

TEST_CASE("im2col: each element's delta is the sum of those of the patches that see it") {
  const DoubleTensorWeight weight(Tensor<double>::zeros({2, 3, 3, 3}), sgd(1));
  const auto delta = imageToColumns(ascending({2, 3, 3, 3}, 23), 2, 1);
  train(sum(imageToColumns(weight, 2, 1) * delta)).blockingAwait();
  CHECK(sum(weight.data()) == -10692);
}

TEST_CASE("maxPool: the sum of the largest of each four elements") {
  const DoubleTensorWeight weight(ascending({2, 3, 4, 4}, 1), sgd(1));
  CHECK(sum(train(maxPool2d(weight, {2})).blockingAwait()) == 1224);
}

TEST_CASE("maxPool: seven hundred trainings take the mean of the largest below ten") {
  const DoubleTensorWeight weight(ascending({2, 3, 4, 4}, 1), sgd(1));
  const auto largest = maxPool2d(weight, {2});
  for (int i = 0; i < 700; ++i) train(largest).blockingAwait();
  CHECK(predict(mean(largest)).blockingAwait() < 10);
}

TEST_CASE("maxPool: only the largest elements have a delta") {
  const DoubleTensorWeight weight(ascending({2, 3, 4, 4}, 1), sgd(1));
  trainToZero(maxPool2d(weight, {2}));
  CHECK(sum(weight.data()) == 3432);
}

TEST_CASE("conv2d: the sums of all neighbours in a 4 x 4 image") {
  const DoubleTensorWeight weight(Tensor<double>::full({1, 1, 3, 3}, 1), sgd(0.01));
  const DoubleTensorWeight bias(Tensor<double>::zeros({1}), sgd(0.01));
  const auto image = ascending({1, 1, 4, 4}, 1);
  CHECK(train(conv2d(image, weight, bias, {.padding = 1})).blockingAwait() ==
        Tensor<double>({1, 1, 4, 4}, {14, 24, 30, 22, 33, 54, 63, 45, 57, 90, 99, 69, 46, 72, 78, 54}));
}
