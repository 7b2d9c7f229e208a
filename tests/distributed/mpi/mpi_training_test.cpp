// Ranks of MPI train as one rank that has all examples, whatever the network.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "support/error_text.hpp"
#include "support/ranks/equal_training.hpp"
#include "support/ranks/mpi_ranks.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/distributed.hpp"
#include "tapestry/raii/repeat.hpp"

using namespace tapestry;
using test::awaitOnRank;
using test::mpiWorld;
using test::outcomeText;
using test::equal_training::Everything;
using test::equal_training::Network;
using test::equal_training::networks;
using test::equal_training::trainedAlone;
using test::equal_training::trainFrom;

namespace {

/// Trains each network on all ranks of MPI, and compares this rank's model with that of one rank.
void expectEqualTrainingOfMpi(std::size_t steps, Executor* executor) {
  const MpiCommunicator all = mpiWorld().communicator();
  for (const Network& network : networks) {
    CAPTURE(network.name);
    const Everything model(all.rank());
    const auto trained = replicate(all, model)
                             .flatMap([=](const Replicas& replicas) {
                               return trainFrom(0, steps, replicas, model, network.loss).flatMap([replicas] {
                                 return checkSame(replicas);
                               });
                             })
                             .run();
    CHECK(outcomeText(awaitOnRank(trained, executor)) == "value");
    expectSame(model, trainedAlone(all.size(), steps, network));
  }
}

/// Points of a curve.
struct Points {
  std::size_t size() const { return 13; }
  double get(std::size_t index) const { return 0.1 * static_cast<double>(index); }
};

using Share = std::vector<double>;

/// A line with two weights.
struct Line {
  Weights weights() const { return {{"slope", slope}, {"base", base}}; }
  /// The mean error of the points of a share, which is not empty.
  DoubleLayer loss(const Share& share) const {
    const Tensor<double> x({share.size()}, share);
    return mse(DoubleTensorLayer(x) * slope + base, DoubleTensorLayer(x * x));
  }

  DoubleWeight slope{0.3, momentum({.learningRate = 0.1})};
  DoubleWeight base{-0.2, momentum({.learningRate = 0.1})};
};

constexpr std::uint64_t epochs = 4;

/// Trains on batches `index` of an epoch and those that follow.
Do<void> trainShares(const Replicas& replicas, const Line& line,
                     const ScatteredBatches<Points>::Epoch& shares, std::size_t index) {
  if (index == shares.size()) return Do<void>::now();
  const Share share = shares.get(index);
  const auto examples = static_cast<double>(share.size());
  const Do<void> step =
      share.empty() ? joinStep(replicas)
                    : train(line.loss(share), allReduce(replicas, {.weight = examples})).map([](double) {});
  return step.run().flatMap([=] { return trainShares(replicas, line, shares, index + 1); });
}

Do<void> trainEpochs(const Replicas& replicas, const Line& line, const ScatteredBatches<Points>& shares,
                     std::uint64_t epoch = 0) {
  if (epoch == epochs) return Do<void>::now();
  return trainShares(replicas, line, shares.epoch(epoch), 0).flatMap([=] {
    return trainEpochs(replicas, line, shares, epoch + 1);
  });
}

}  // namespace

TEST_CASE("ranks of MPI train as one rank with all examples") { expectEqualTrainingOfMpi(30, nullptr); }

TEST_CASE("ranks of MPI on a pool train as one rank with all examples") {
  ThreadPool pool(1);
  expectEqualTrainingOfMpi(10, &pool);
}

TEST_CASE("passes of a rank of MPI that run at the same time do not mix") {
  const MpiCommunicator all = mpiWorld().communicator();
  ThreadPool pool(2);
  const DoubleWeight a(2, sgd(0.5)), b(3, sgd(0.5));
  const Weights weights{{"a", a}, {"b", b}};
  const auto both = replicate(all, weights, {.passes = 2}).flatMap([=](const Replicas& replicas) {
    const auto first = train(a * 1.0, allReduce(replicas)), second = train(b * 2.0, allReduce(replicas));
    const auto pair = tuple2(parallel(first), parallel(second)).map([](const auto&) {});
    return repeat(pair, 20).flatMap([replicas] { return checkSame(replicas); });
  });
  CHECK(outcomeText(awaitOnRank(both.run(), &pool)) == "value");
  CHECK(a.data() == 2 - 20 * 0.5);
  CHECK(b.data() == 3 - 20 * 0.5 * 2);
}

TEST_CASE("ranks of MPI with uneven shares of the examples train as one rank with all of them") {
  const MpiCommunicator all = mpiWorld().communicator();
  const Line line, alone;
  const auto shares = scatter(Batches(Points(), {.size = 4, .seed = 9}), all);
  const auto trained = replicate(all, line).flatMap([=](const Replicas& replicas) {
    return trainEpochs(replicas, line, shares).flatMap([replicas] { return checkSame(replicas); });
  });
  CHECK(outcomeText(awaitOnRank(trained.run())) == "value");
  const Batches whole(Points(), {.size = 4 * all.size(), .seed = 9});
  for (std::uint64_t epoch = 0; epoch < epochs; ++epoch)
    for (std::size_t index = 0; index < whole.size(); ++index)
      train(alone.loss(whole.epoch(epoch).get(index))).blockingAwait();
  CHECK(std::abs(line.slope.data() - alone.slope.data()) < 1e-6);
  CHECK(std::abs(line.base.data() - alone.base.data()) < 1e-6);
  CHECK(std::abs(line.slope.data() - Line().slope.data()) > 0.01);  // it has learnt
}
