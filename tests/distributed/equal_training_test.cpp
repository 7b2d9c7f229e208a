// n ranks with batches of b examples train as one rank with batches of n * b, whatever the network.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/ranks/equal_training.hpp"
#include "support/ranks/replica_ranks.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::equal_training::Everything;
using test::equal_training::Network;
using test::equal_training::networks;
using test::equal_training::trainedAlone;
using test::equal_training::trainFrom;

namespace {

constexpr std::size_t stepCount = 100;

/// Trains by runOn(options, body), which returns the models of all ranks and their ends.
template <class F>
void expectEqualTraining(std::size_t ranks, const Network& network, const F& runOn) {
  CAPTURE(network.name);
  CAPTURE(ranks);
  const auto [models, ends] = runOn([loss = network.loss](const Replicas& replicas, const Everything& model) {
    return trainFrom(0, stepCount, replicas, model, loss).flatMap([replicas] { return checkSame(replicas); });
  });
  CHECK(ends.size() == ranks);
  for (const std::string& end : ends) CHECK(end == "value");
  const Everything alone = trainedAlone(ranks, stepCount, network);
  for (const auto& model : models) expectSame(*model, alone);
}

}  // namespace

TEST_CASE("ranks of one thread train as one rank with all examples") {
  for (const Network& network : networks)
    for (const std::size_t ranks : {1, 2, 3, 4})
      expectEqualTraining(ranks, network,
                          [&](const auto& body) { return test::onReplicas<Everything>(ranks, body); });
}

TEST_CASE("ranks of two threads train as one rank with all examples") {
  for (const Network& network : networks)
    for (const std::size_t ranks : {1, 2, 3, 4})
      expectEqualTraining(ranks, network, [&](const auto& body) {
        return test::onReplicaThreads<Everything>(ranks, {}, body);
      });
}

TEST_CASE("the size of buckets does not change what is learnt") {
  for (const std::size_t bytes : {1, 100, 200}) {
    const ReplicaOptions options{.bucketBytes = bytes};
    expectEqualTraining(3, networks[0], [&](const auto& body) {
      return test::onReplicas<Everything>(3, options, test::onThisThread, body);
    });
    for (const Network& network : networks)
      expectEqualTraining(
          2, network, [&](const auto& body) { return test::onReplicaThreads<Everything>(2, options, body); });
  }
}

TEST_CASE("the running statistics of batch normalisation are means of those of the ranks' batches") {
  struct Normalising {
    explicit Normalising(std::size_t) {}
    Weights weights() const { return norm.weights(); }
    BatchNorm<double> norm{1, 1};  // statistics of the last step
  };
  // of three ranks, the first has 2 examples, the second 4, and the third none
  const auto [models, ends] =
      test::onReplicas<Normalising>(3, [](const Replicas& replicas, const Normalising& model) {
        if (replicas.rank() == 2) return joinStep(replicas);
        const Tensor<double> x =
            replicas.rank() == 0 ? Tensor<double>({2, 1}, {1, 3}) : Tensor<double>({4, 1}, {0, 0, 4, 8});
        const double count = static_cast<double>(x.size());
        return train(mean(model.norm(DoubleTensorLayer(x))), allReduce(replicas, {.weight = count}))
            .map([](double) {});
      });
  CHECK(ends == std::vector<std::string>(3, "value"));
  for (const auto& model : models) {
    CHECK(model->norm.statistics.mean.data()(0) == doctest::Approx((2 * 2.0 + 4 * 3.0) / 6));
    CHECK(model->norm.statistics.variance.data()(0) == doctest::Approx((2 * 2.0 + 4 * 44.0 / 3) / 6));
  }
}
