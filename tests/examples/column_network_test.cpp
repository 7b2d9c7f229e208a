#include "support/column_network.hpp"

#include <doctest/doctest.h>

#include <array>
#include <variant>

#include "support/histogram.hpp"

namespace tapestry::examples {
namespace {

struct Painted {
  ClassImages images = numberFineClasses(paintImages(400, 1, 0), {}, "test").training;
  ClassBatches batches = ClassBatches(images, 8, 1);
};

TEST_CASE("The network has the weights of the paper's") {
  for (const std::size_t columns : {1, 2, 4}) {
    const ColumnNetwork network(columns, 1);
    CHECK(network.weights().elements() ==
          columns * (3072 * 64 + 64 + 64 * 64 + 64) + 64 * 20 + 20 + 20 * (2 * (64 * 64 + 64) + 64 * 5 + 5));
  }
}

TEST_CASE("Skipping the other fine classifiers changes no loss and no step, and computes less") {
  const Painted painted;
  const ColumnNetwork all(2, 1), skipping(2, 1);
  for (const auto* network : {&all, &skipping}) network->weights().setOptimizer(sgd(0.1));
  for (std::size_t i = 0; i < 5; ++i) {
    const auto batch = painted.batches.get(i);
    const auto [loss, counts] = countPass(train(all.loss(batch, false))).blockingAwait();
    const auto [skippingLoss, skippingCounts] = countPass(train(skipping.loss(batch, true))).blockingAwait();
    CHECK(loss == doctest::Approx(skippingLoss).epsilon(1e-6));
    CHECK(counts.forwards > skippingCounts.forwards + 19 * 5);
    CHECK(counts.backwards > skippingCounts.backwards + 19 * 5);
  }
  for (const auto& [name, weight] : all.weights()) {
    const auto& value = std::get<TensorWeight>(weight).data();
    const auto& other = std::get<TensorWeight>(skipping.weights()[name]).data();
    CAPTURE(name);
    CHECK(mean(abs(value - other)) < 1e-7);
  }
}

TEST_CASE("In a prediction runs the one fine classifier that the coarse prediction names") {
  const Painted painted;
  ColumnNetwork network(1, 3);
  Histogram chosen(20);
  network.onChosen = [&chosen](std::size_t fine) { chosen.add(fine); };
  std::vector<Tensor<float>> images;
  for (std::size_t i = 0; i < 100; ++i) images.push_back(painted.images.tensor(i));
  const auto predictions = network.predictions(images).blockingAwait();
  REQUIRE(predictions.size() == 100);
  std::array<std::size_t, 20> predicted{};
  std::size_t right = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    ++predicted.at(predictions[i].coarse);
    right += predictions[i].coarse == painted.images.coarse(i);
    const auto features = network.features(images[i]);
    const auto [coarse, fine] =
        predict(network.coarseLogits(features),
                network.fineLogits(features, Do<std::size_t>::now(predictions[i].coarse)))
            .blockingAwait();
    CHECK(argmax(coarse, 0).values()[0] == static_cast<std::int64_t>(predictions[i].coarse));
    CHECK(argmax(fine, 0).values()[0] == static_cast<std::int64_t>(predictions[i].fine));
  }
  CHECK(right < 50);  // so that the coarse prediction is not the coarse class
  for (std::size_t i = 0; i < 20; ++i) CHECK(chosen.count(i) == 2 * predicted.at(i));
}

}  // namespace
}  // namespace tapestry::examples
