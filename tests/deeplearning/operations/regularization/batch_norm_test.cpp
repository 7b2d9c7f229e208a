#include <tapestry/deeplearning/operations/regularization/batch_norm.hpp>

#include <cmath>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/train.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

template <class T = double>
BatchStatistics<T> freshStatistics(std::size_t channels, double momentum = 0.1) {
  return {RunningAverage<Tensor<T>>(Tensor<T>::zeros({channels}), momentum),
          RunningAverage<Tensor<T>>(Tensor<T>::full({channels}, 1), momentum)};
}

/// The statistics of channels that differ.
BatchStatistics<double> drawnStatistics(Random& random, std::size_t channels) {
  return {RunningAverage<Tensor<double>>(random.tensor<double>({channels}), 0.1),
          RunningAverage<Tensor<double>>(random.tensor<double>({channels}, 0.5, 2), 0.1)};
}

/// The mean and the variance of one channel of [N, C, ...].
std::pair<double, double> channelMoments(const Tensor<double>& x, std::size_t channel) {
  const std::size_t inner = x.size() / (x.shape()[0] * x.shape()[1]);
  double sum = 0;
  double squares = 0;
  double n = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i / inner % x.shape()[1] != channel) continue;
    sum += x.data()[i];
    squares += x.data()[i] * x.data()[i];
    n += 1;
  }
  return {sum / n, squares / n - sum / n * (sum / n)};
}

}  // namespace

TEST_CASE("batchNorm gives each channel of a batch that trains the mean of bias and the deviation of gain") {
  Generator generator(1);
  for (const Shape& shape : {Shape{50, 2}, Shape{6, 2, 5}, Shape{4, 2, 3, 5}}) {
    const auto x = normal<double>(shape, 3, 2, generator);
    const Tensor<double> gain({2}, {2, 0.5});
    const Tensor<double> bias({2}, {-1, 4});
    const auto y = batchNorm(x, gain, bias, freshStatistics(2), 0);
    const auto normalised = inMode(Mode::train, predict(y)).blockingAwait();
    for (const std::size_t channel : {0u, 1u}) {
      const auto [mean, variance] = channelMoments(normalised, channel);
      CHECK(mean == doctest::Approx(bias(channel)));
      CHECK(std::sqrt(variance) == doctest::Approx(gain(channel)));
    }
  }
}

TEST_CASE("the running statistics of batchNorm follow the batches that train, and serve predictions") {
  Generator generator(2);
  const auto statistics = freshStatistics(2, 0.5);
  const auto x = normal<double>({20, 2}, 3, 2, generator);
  const DoubleTensorWeight gain(Tensor<double>::full({2}, 1));
  const auto y = batchNorm(x, gain, Tensor<double>::zeros({2}), statistics);
  train(y).blockingAwait();
  Tensor<double> expected = Tensor<double>::zeros({20, 2});
  gain.setData(Tensor<double>::full({2}, 1));
  for (const std::size_t channel : {0u, 1u}) {
    const auto [mean, variance] = channelMoments(x, channel);
    CHECK(statistics.mean.data()(channel) == doctest::Approx(0.5 * mean));
    CHECK(statistics.variance.data()(channel) == doctest::Approx(0.5 + 0.5 * variance * 20 / 19));
    for (std::size_t i = 0; i < 20; ++i)
      expected.exclusiveData()[2 * i + channel] = (x(i, channel) - statistics.mean.data()(channel)) /
                                                  std::sqrt(statistics.variance.data()(channel) + 1e-5);
  }
  const auto before = statistics.mean.data();
  const auto predicted = predict(y).blockingAwait();
  for (std::size_t i = 0; i < 40; ++i)
    CHECK(predicted.data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-9));
  CHECK(statistics.mean.data() == before);
}

TEST_CASE("the gradients of batchNorm are the central differences, in training and in prediction") {
  checkDraws([](Random& random) {
    const Mode mode = random.below(2) == 0 ? Mode::train : Mode::predict;
    Shape shape = drawShape(random, 2);
    while (mode == Mode::train && shape.size() < 2 * shape[1]) shape = drawShape(random, 2);
    const Shape channels{shape[1]};
    const auto statistics = drawnStatistics(random, shape[1]);
    return DrawnOperation{
        [=](const Operands& of) { return batchNorm(of[0], of[1], of[2], statistics, 0.2); },
        {random.tensor<double>(shape), random.tensor<double>(channels), random.tensor<double>(channels)},
        mode};
  });
}

TEST_CASE("batchNorm refuses channels that are not those of its statistics, and batches without a variance") {
  const auto ones = Tensor<double>::full({2}, 1);
  const auto failure = [&](const Shape& shape) {
    const DoubleTensorWeight x(Tensor<double>::zeros(shape));
    const auto late = batchNorm(lateLayer(x), ones, ones, freshStatistics(2));
    const auto error = errorOf([&] { train(late).blockingAwait(); });
    if (shape[1] != 2) CHECK(errorOf([&] { return batchNorm(x, ones, ones, freshStatistics(2)); }) == error);
    return error;
  };
  CHECK(failure({4, 3}) ==
        "tapestry::batchNorm: the running mean does not fit the channels, got [2] for [4, 3], expected [3]");
  CHECK(failure({1, 2}) ==
        "tapestry::batchNorm: a channel has no variance, got [1, 2], expected at least two values in each "
        "channel of a batch that trains");
}
