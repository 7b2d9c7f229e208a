// What version 1 of DeepLearning.scala, whose networks are made of symbols, tests beyond its successors.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <optional>

#include "tapestry/deeplearning.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;

namespace {

/// Two bits and whether they differ; any one of the three may be missing.
using Record = std::array<std::optional<bool>, 3>;

/// For each field whether it is missing, and its value.
Tensor<double> encoded(const Record& record) {
  auto row = Tensor<double>::zeros({1, 6});
  for (std::size_t i = 0; i < 3; ++i)
    row.exclusiveData()[record[i] ? 2 * i + 1 : 2 * i] = record[i].value_or(true) ? 1 : 0;
  return row;
}

auto recordNetwork(Generator& generator) {
  const auto dense = [&](std::size_t inputs, std::size_t outputs, double variance) {
    return Dense<double>(normal<double>({inputs, outputs}, 0, std::sqrt(variance), generator));
  };
  const auto rectifier = [](const auto& x) { return relu(x); };
  const auto network = sequential(dense(6, 50, 0.04), rectifier, dense(50, 50, 0.04), rectifier,
                                  dense(50, 50, 0.04), rectifier, dense(50, 3, 1. / 3));
  network.weights().setOptimizer(chain(l2(0.01), sgd(0.006)));
  return network;
}

/// A record, of which the network is to find the missing field.
template <class F>
void trainRecord(const F& network, test::Random& random) {
  Record record{random.below(2) == 1, random.below(2) == 1, std::nullopt};
  record[2] = record[0] != record[1];
  const std::size_t missing = random.below(3);
  const double expected = *record[missing] ? 1 : 0;
  record[missing].reset();
  const auto logit = network(encoded(record))(0, static_cast<std::ptrdiff_t>(missing));
  train(binaryCrossEntropyWithLogits(logit, expected)).blockingAwait();
}

}  // namespace

TEST_CASE("XOR: a network learns to find whichever field of a record is missing") {
  Generator generator(1);
  const auto network = recordNetwork(generator);
  test::Random random(1);
  for (int i = 0; i < 1000; ++i) trainRecord(network, random);
  const auto found = [&](const Record& record, std::ptrdiff_t missing) {
    return predict(sigmoid(network(encoded(record))(0, missing))).blockingAwait() > 0.5;
  };
  CHECK(!found({false, false, std::nullopt}, 2));
  CHECK(found({false, true, std::nullopt}, 2));
  CHECK(found({true, false, std::nullopt}, 2));
  CHECK(!found({true, true, std::nullopt}, 2));
  CHECK(!found({false, std::nullopt, false}, 1));
  CHECK(!found({std::nullopt, true, true}, 0));
  CHECK(found({true, std::nullopt, false}, 1));
}

TEST_CASE("dot: a product of matrices is trained to zero") {
  const DoubleTensorWeight weight(Tensor<double>({1, 2}, {0, 5}), sgd(0.0003));
  const auto product = matmul(-weight, Tensor<double>({2, 3}, {2.5, -3.2, -19.5, 7.5, -5.4, 4.5}));
  CHECK(predict(sum(product)).blockingAwait() == -33);
  for (int i = 0; i < 101; ++i) train(0.5 * sum(product * product)).blockingAwait();
  CHECK(std::abs(predict(sum(product)).blockingAwait()) < 1);
}

TEST_CASE("issue 8: the data of a layer that is used twice comes out of the training") {
  const Tensor<double> x({4, 4}, {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
  const DoubleTensorWeight weight(x, sgd(1));
  const auto negated = -weight;
  const auto [quotient, hooked] = train(sum(negated, {1}, true) / weight, negated).blockingAwait();
  CHECK(hooked == -x);
  CHECK(quotient(3, 0) == -10);
  CHECK(quotient(0, 3) == -2.5);
}

TEST_CASE("NaN: a regression whose steps are almost too large stays bounded") {
  const DoubleTensorWeight weight(Tensor<double>::full({3, 1}, 0.01), sgd(0.003));
  const Tensor<double> questions({3, 3}, {0, 1, 2, 4, 7, 10, 13, 15, 17});
  const auto difference = matmul(questions, weight) - Tensor<double>({3, 1}, {3, 13, 19});
  const auto loss = mean(difference * difference);
  bool bounded = true;
  for (int i = 0; i < 1'000; ++i) bounded = bounded && train(loss).blockingAwait() < 200;
  CHECK(bounded);
}
