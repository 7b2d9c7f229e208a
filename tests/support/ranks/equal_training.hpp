// Defines networks of every kind of weight, their training on ranks, and the training of one rank that has
// all examples, with which it is compared.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tapestry/deeplearning.hpp"
#include "tapestry/distributed.hpp"

namespace tapestry::test::equal_training {

inline constexpr std::size_t batch = 3, inputs = 4;

using Numbers = Tensor<double>;

inline Numbers randomNumbers(const Shape& shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Numbers numbers = Numbers::uninitialized(shape);
  std::generate_n(numbers.exclusiveData(), numbers.size(), [&] { return normal(random); });
  return numbers;
}

/// Examples begin to end of a step, of which each rank takes its share.
struct Examples {
  Examples(std::size_t step, std::size_t begin, std::size_t end) : first(begin) {
    const Numbers all = randomNumbers({16, inputs + 1}, step + 1);
    const auto rows = [&](std::size_t column, std::size_t width) {
      Numbers part = Numbers::uninitialized({end - begin, width});
      for (std::size_t row = begin; row < end; ++row)
        for (std::size_t i = 0; i < width; ++i)
          part.exclusiveData()[(row - begin) * width + i] = all.values()[row * (inputs + 1) + column + i];
      return part;
    };
    x = rows(0, inputs);
    y = rows(inputs, 1);
  }

  /// The rows of a table for these examples.
  Indices indices() const {
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < x.shape()[0]; ++i)
      rows.push_back(static_cast<std::int64_t>(std::abs(x.values()[i * inputs]) * 4) % 7);
    return Indices(std::move(rows));
  }

  std::size_t first;
  Numbers x, y;
};

/// Every kind of weight, with an optimizer that has a state. A network uses some of them.
struct Everything {
  explicit Everything(std::size_t rank)
      : Everything(static_cast<std::uint64_t>(rank), adam({.learningRate = 0.02})) {}
  template <class Rule>
  Everything(std::uint64_t seed, const Rule& rule)
      : first(randomNumbers({inputs, 5}, seed + 10), rule),
        second(randomNumbers({5, 1}, seed + 11), rule),
        bias(randomNumbers({5}, seed + 12), rule),
        scale(1.5, rule),
        table(Table<double>(randomNumbers({7, inputs}, seed + 13)), rule) {
    norm.weights().setOptimizer(rule);
  }

  Weights weights() const {
    return {{"first", first}, {"bias", bias}, {"second", second}, {"scale", scale},
            {"table", table}, {"norm", norm}, {"mean", mean}};
  }
  DoubleTensorWeight first, second, bias;
  DoubleWeight scale;
  DoubleTableWeight table;
  BatchNorm<double> norm{5};
  RunningAverage<Numbers> mean{Numbers::zeros({inputs})};
};

using Loss = DoubleLayer (*)(const Everything&, const Examples&);

inline DoubleLayer meanError(const DoubleTensorLayer& output, const Examples& examples) {
  return mse(output, DoubleTensorLayer(examples.y));
}

inline DoubleLayer dense(const Everything& model, const Examples& examples) {
  const auto hidden = tanh(matmul(DoubleTensorLayer(examples.x), model.first) + model.bias);
  return meanError(matmul(hidden, model.second) * model.scale, examples);
}

/// The examples' first index decides which weights are used.
inline DoubleLayer branching(const Everything& model, const Examples& examples) {
  const DoubleTensorLayer x(examples.x);
  if (examples.first == 0) return meanError(matmul(tanh(matmul(x, model.first)), model.second), examples);
  if (examples.first == batch) return meanError(sum(x * model.scale, {1}, true), examples);
  return dense(model, examples);
}

inline DoubleLayer embedded(const Everything& model, const Examples& examples) {
  const auto rows = embedding(model.table, examples.indices());
  return meanError(matmul(tanh(matmul(rows * DoubleTensorLayer(examples.x), model.first)), model.second),
                   examples);
}

/// Normalises by the batch of the rank alone.
inline DoubleLayer normalised(const Everything& model, const Examples& examples) {
  const auto hidden = tanh(model.norm(matmul(DoubleTensorLayer(examples.x), model.first)));
  return meanError(matmul(hidden, model.second), examples);
}

/// Observes the mean of the inputs.
inline DoubleLayer observed(const Everything& model, const Examples& examples) {
  Numbers mean = Numbers::zeros({inputs});
  for (std::size_t i = 0; i < examples.x.size(); ++i)
    mean.exclusiveData()[i % inputs] +=
        examples.x.values()[i] * inputs / static_cast<double>(examples.x.size());
  return DoubleLayer(
      model.mean.observe(mean).flatMap([loss = dense(model, examples)] { return forward(loss); }));
}

struct Network {
  const char* name;
  Loss loss;
  bool asOneBatch;  ///< else as micro batches, since the loss of a rank depends on its whole share
};

inline constexpr Network networks[] = {{"dense", dense, true},
                                       {"branches that depend on the rank", branching, false},
                                       {"a table", embedded, true},
                                       {"batch normalisation", normalised, false},
                                       {"observations", observed, false}};

inline void expectSame(const Numbers& a, const Numbers& b) {
  REQUIRE(a.shape() == b.shape());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a.values()[i] - b.values()[i]) < 1e-6);
}

inline void expectSame(const Everything& a, const Everything& b) {
  expectSame(a.first.data(), b.first.data());
  expectSame(a.second.data(), b.second.data());
  expectSame(a.bias.data(), b.bias.data());
  expectSame(a.table.data().dense(), b.table.data().dense());
  expectSame(a.norm.gain.data(), b.norm.gain.data());
  expectSame(a.norm.bias.data(), b.norm.bias.data());
  expectSame(a.norm.statistics.mean.data(), b.norm.statistics.mean.data());
  expectSame(a.norm.statistics.variance.data(), b.norm.statistics.variance.data());
  expectSame(a.mean.data(), b.mean.data());
  CHECK(std::abs(a.scale.data() - b.scale.data()) < 1e-6);
}

/// Takes steps from `step` to `end` on this rank's share of the examples.
inline Do<void> trainFrom(std::size_t step, std::size_t end, const Replicas& replicas,
                          const Everything& model, Loss loss) {
  if (step == end) return Do<void>::now();
  const std::size_t begin = replicas.rank() * batch;
  return train(loss(model, Examples(step, begin, begin + batch)), allReduce(replicas))
      .flatMap([=](double) { return trainFrom(step + 1, end, replicas, model, loss); })
      .run();
}

/// The model after `steps` steps on the examples of all ranks, without replicas.
inline Everything trainedAlone(std::size_t ranks, std::size_t steps, const Network& network) {
  Everything model(0);
  for (std::size_t step = 0; step < steps; ++step) {
    if (network.asOneBatch) {
      train(network.loss(model, Examples(step, 0, ranks * batch))).blockingAwait();
      continue;
    }
    std::vector<std::size_t> shares;
    for (std::size_t rank = 0; rank < ranks; ++rank) shares.push_back(rank * batch);
    trainMicroBatches(shares, 1, [&](std::size_t begin) {
      return network.loss(model, Examples(step, begin, begin + batch));
    }).blockingAwait();
  }
  return model;
}

}  // namespace tapestry::test::equal_training
