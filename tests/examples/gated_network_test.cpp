#include "support/gated_network.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <vector>

#include "support/random.hpp"

namespace tapestry::examples {
namespace {

constexpr std::array forms{Form::eager, Form::monadic, Form::applicative, Form::direct};

Tensor<float> imageOf(std::uint64_t seed) {
  Random random(seed);
  std::vector<float> pixels(784);
  for (float& pixel : pixels) pixel = static_cast<float>(random.below(256)) / 255;
  return Tensor<float>({1, 784}, pixels);
}

std::vector<TensorWeight> weightsOf(const GatedNetwork& network) {
  std::vector<TensorWeight> weights;
  const auto add = [&](const auto& dense) { weights.insert(weights.end(), {dense.weight, dense.bias}); };
  for (const auto& dense : network.gates) add(dense);
  for (const Expert& expert : network.experts) {
    add(expert.first);
    add(expert.second);
  }
  return weights;
}

/// The loss of one image, which is a seven.
DoubleLayer lossOf(const GatedNetwork& network, const Tensor<float>& image, Form form) {
  return softmaxCrossEntropy(network.logits(image, form), 7);
}

/// The evaluations of each score and of each expert, and the choices.
struct Counts {
  explicit Counts(GatedNetwork& network) {
    network.onScored = [this](std::size_t index) { ++scored.at(index); };
    network.onChosen = [this](std::size_t index) { ++chosen.at(index); };
    network.onExpert = [this](std::size_t index) { ++evaluated.at(index); };
  }
  int scores() const { return scored[0] + scored[1]; }
  int choices() const { return chosen[0] + chosen[1]; }

  std::array<std::atomic<int>, 2> scored{};
  std::array<std::atomic<int>, 2> chosen{};
  std::array<std::atomic<int>, 2> evaluated{};
};

TEST_CASE("The four forms give equal values and equal gradients") {
  const GatedNetwork network(5);
  const auto weights = weightsOf(network);
  std::array<int, 2> chosen{};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto image = imageOf(seed);
    const auto expected = gradients(lossOf(network, image, forms[0])).blockingAwait();
    const auto logits = predict(network.logits(image, forms[0])).blockingAwait();
    for (const Form form : forms) {
      CHECK(predict(network.logits(image, form)).blockingAwait() == logits);
      const auto actual = gradients(lossOf(network, image, form)).blockingAwait();
      CHECK(actual.loss == expected.loss);
      for (const auto& weight : weights) CHECK(actual.of(weight) == expected.of(weight));
    }
    const auto zero = [&](std::size_t index) {
      return expected.of(weights[index]) == Tensor<float>::zeros(weights[index].data().shape());
    };
    // the expert that was not chosen has no gradient, and neither has its score
    CHECK(zero(0) != zero(2));
    CHECK(zero(4) == zero(0));
    CHECK(zero(8) == zero(2));
    ++chosen.at(zero(0) ? 1 : 0);
  }
  CHECK(chosen[0] > 0);
  CHECK(chosen[1] > 0);
}

TEST_CASE("The four forms train to equal weights") {
  std::vector<std::vector<Tensor<float>>> trained;
  for (const Form form : forms) {
    const GatedNetwork network(5);
    network.setOptimizers(sgd(0.01), momentum({.learningRate = 0.1}));
    for (std::uint64_t seed = 0; seed < 5; ++seed)
      train(lossOf(network, imageOf(seed), form)).blockingAwait();
    auto& values = trained.emplace_back();
    for (const auto& weight : weightsOf(network)) values.push_back(weight.data());
  }
  for (const auto& values : trained) CHECK(values == trained.front());
}

TEST_CASE(
    "The eager form evaluates the gate three times, the others once for each score, and only the chosen "
    "expert "
    "runs") {
  for (const Form form : forms) {
    CAPTURE(static_cast<int>(form));
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      GatedNetwork network(5);
      const Counts counts(network);
      train(lossOf(network, imageOf(seed), form)).blockingAwait();
      CHECK(counts.choices() == 1);
      const std::size_t chosen = counts.chosen[0] ? 0 : 1;
      CHECK(counts.evaluated.at(chosen) == 1);
      CHECK(counts.evaluated.at(1 - chosen) == 0);
      CHECK(counts.scored.at(chosen) == (form == Form::eager ? 2 : 1));
      CHECK(counts.scored.at(1 - chosen) == 1);
      CHECK(counts.scores() == (form == Form::eager ? 3 : 2));
    }
  }
}

TEST_CASE(
    "A batch in parallel chooses once and evaluates each score once for an image, and the gate learns") {
  ThreadPool pool(2);
  GatedNetwork network(5);
  network.setOptimizers(sgd(0.1), sgd(0.1));
  const Counts counts(network);
  const auto before = weightsOf(network);
  std::vector<Tensor<float>> values;
  for (const auto& weight : before) values.push_back(weight.data());
  for (const Form form : {Form::monadic, Form::applicative, Form::direct}) {
    std::vector<DoubleLayer> losses;
    for (std::uint64_t seed = 0; seed < 32; ++seed) losses.push_back(lossOf(network, imageOf(seed), form));
    CHECK(std::isfinite(train(mean(losses)).blockingAwait(pool)));
  }
  CHECK(counts.choices() == 3 * 32);
  for (const std::size_t i : {0, 1}) CHECK(counts.evaluated.at(i) == counts.chosen.at(i));
  CHECK(counts.scored[0] == 3 * 32);
  CHECK(counts.scored[1] == 3 * 32);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK_FALSE(before[i].data() == values[i]);
}

}  // namespace
}  // namespace tapestry::examples
