#include <tapestry/deeplearning/train_micro_batches.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "support/error_text.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/layers/batch_norm.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/layout/slice.hpp"
#include "tapestry/deeplearning/operations/product/matmul.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/operations/regularization/dropout.hpp"
#include "tapestry/deeplearning/optimizers/adam.hpp"
#include "tapestry/deeplearning/seed.hpp"
#include "tapestry/deeplearning/train.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// Twelve rows of data in four batches of three.
struct Batched {
  Tensor<double> all;
  std::vector<Tensor<double>> batches;

  Batched() {
    Generator generator(1);
    all = normal<double>({12, 3}, 0, 1, generator);
    for (std::ptrdiff_t i = 0; i < 4; ++i) batches.push_back(slice(all, {Slice{3 * i, 3 * i + 3}}));
  }
};

DoubleLayer squaresOf(const DoubleTensorWeight& w, const Tensor<double>& x) {
  const auto y = matmul(x, w);
  return mean(y * y);
}

}  // namespace

TEST_CASE("micro-batches step a weight as one batch of all their rows does") {
  const Batched data;
  for (const std::size_t limit : {1u, 3u}) {
    const DoubleTensorWeight whole(Tensor<double>({3, 2}, {1, 2, 3, 4, 5, 6}), adam({.learningRate = 0.1}));
    const DoubleTensorWeight parts(whole.data(), adam({.learningRate = 0.1}));
    for (int step = 0; step < 3; ++step) {
      const double loss = train(squaresOf(whole, data.all)).blockingAwait();
      const auto losses = trainMicroBatches(data.batches, limit, [&](const Tensor<double>& x) {
                            return squaresOf(parts, x);
                          }).blockingAwait();
      CHECK(losses.size() == 4);
      CHECK((losses[0] + losses[1] + losses[2] + losses[3]) / 4 == doctest::Approx(loss));
    }
    const auto expected = whole.data();
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(parts.data().data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-12));
  }
}

TEST_CASE("micro-batches run in parallel on a pool") {
  const Batched data;
  ThreadPool pool(3);
  const DoubleTensorWeight whole(Tensor<double>::full({3, 2}, 1), sgd(0.1));
  const DoubleTensorWeight parts(whole.data(), sgd(0.1));
  for (int step = 0; step < 50; ++step) {
    train(squaresOf(whole, data.all)).blockingAwait();
    trainMicroBatches(data.batches, 4, [&](const Tensor<double>& x) {
      return squaresOf(parts, x);
    }).blockingAwait(pool);
  }
  const auto expected = whole.data();
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(parts.data().data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-9));
}

TEST_CASE("all micro-batches read a weight as the first of them has") {
  const DoubleWeight w(1.0, sgd(1));
  const auto lossOf = [&](int batch) {
    if (batch == 2) w.setData(100);
    return w * (batch * 10.0);
  };
  CHECK(trainMicroBatches(std::vector{1, 2}, 1, lossOf).blockingAwait() == std::vector<double>{10, 20});
  CHECK(w.data() == 100 - 15);
}

TEST_CASE("micro-batches are clipped on the norm of their mean gradient") {
  const DoubleWeight w(0.0, sgd(1));
  const auto lossOf = [&](double factor) { return w * factor; };
  trainMicroBatches(std::vector{2.0, 6.0}, 1, lossOf, clipByGlobalNorm(3)).blockingAwait();
  CHECK(w.data() == -3);
  trainMicroBatches(std::vector{2.0, 6.0}, 1, lossOf, clipByGlobalNorm(5)).blockingAwait();
  CHECK(w.data() == -7);
}

TEST_CASE("dropout draws anew for each micro-batch, and the same again from the same seed") {
  const TensorWeight w(Tensor<float>::full({200}, 1), sgd(0));
  const auto step = trainMicroBatches(std::vector{0, 1}, 1, [&](int) { return sum(dropout(w, 0.5)); });
  const auto losses = withSeed(4, step).blockingAwait();
  CHECK(losses[0] != losses[1]);
  CHECK(withSeed(4, step).blockingAwait() == losses);
  ThreadPool pool(3);
  const auto together = trainMicroBatches(std::vector{0, 1}, 2, [&](int) { return sum(dropout(w, 0.5, 1)); });
  const auto drawn = withSeed(4, together).blockingAwait();
  for (int i = 0; i < 20; ++i) CHECK(withSeed(4, together).blockingAwait(pool) == drawn);
}

TEST_CASE("running averages follow the mean over all micro-batches") {
  const Batched data;
  const BatchNorm<double> layer(3, 1);
  trainMicroBatches(data.batches, 1, [&](const Tensor<double>& x) { return sum(layer(x)); }).blockingAwait();
  const auto expected = mean(data.all, {0});
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(layer.statistics.mean.data()(i) == doctest::Approx(expected(i)).epsilon(1e-12));
}

TEST_CASE("if one micro-batch fails, nothing changes") {
  const DoubleWeight w(1.0, sgd(1));
  const auto lossOf = [&](int batch) {
    if (batch == 2) throw std::runtime_error("a bad batch");
    return w * 1.0;
  };
  CHECK(errorOf([&] {
          trainMicroBatches(std::vector{1, 2, 3}, 1, lossOf).blockingAwait();
        }) == "a bad batch");
  CHECK(errorOf([&] { trainMicroBatches(std::vector<int>(), 1, lossOf).blockingAwait(); }) ==
        "tapestry::trainMicroBatches: no batches, got 0, expected at least 1");
  CHECK(w.data() == 1);
}

TEST_CASE("a limit of 0 micro-batches at a time is refused") {
  const DoubleWeight w(1.0, sgd(1));
  const auto lossOf = [&](int) { return w * 1.0; };
  CHECK(errorOf([&] { (void)trainMicroBatches(std::vector{1}, 0, lossOf); }) ==
        "tapestry::trainMicroBatches: got a limit of 0, expected at least 1");
}
