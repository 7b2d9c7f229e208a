// Replicas begin equal, and models that differ are refused by name.
#include "tapestry/distributed/replicas.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "support/error_text.hpp"
#include "support/programs/delivery.hpp"
#include "support/ranks/recording_communicator.hpp"
#include "support/ranks/replica_ranks.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/distributed/wire.hpp"
#include "tapestry/raii/lift.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/testing/scheduler.hpp"
#include "tapestry/version.hpp"

using namespace tapestry;
using test::onReplicas;
using test::outcomeText;

namespace {

using Strings = std::vector<std::string>;

/// A model whose second weight depends on the rank by a function that each test sets.
struct Varied {
  explicit Varied(std::size_t rank) : name(nameOf(rank)), b(weightOf(rank)) {}
  Weights weights() const { return {{"a", a}, {name, b}, {"average", average}, {"table", table}}; }

  static inline std::string (*nameOf)(std::size_t) = nullptr;
  static inline TensorWeight (*weightOf)(std::size_t) = nullptr;

  std::string name;
  DoubleWeight a{1, momentum({.learningRate = 0.5})};
  TensorWeight b;
  RunningAverage<Tensor<float>> average{Tensor<float>::zeros({2})};
  TableWeight table{Table<float>(Tensor<float>::zeros({3, 2})), sgd(0.5)};
};

struct One {
  Weights weights() const { return {{"a", a}}; }
  DoubleWeight a{1, sgd(0.5)};
};

Strings endsOf(std::size_t ranks, std::string (*name)(std::size_t), TensorWeight (*weight)(std::size_t)) {
  Varied::nameOf = name;
  Varied::weightOf = weight;
  return onReplicas<Varied>(ranks, [](const Replicas&, const Varied&) { return Do<void>::now(); }).ends;
}

const auto sameName = [](std::size_t) { return std::string("b"); };
const auto sameWeight = [](std::size_t rank) {
  return TensorWeight(Tensor<float>::full({2}, static_cast<float>(rank)), sgd(0.25));
};

}  // namespace

TEST_CASE("replicas have the values of rank 0") {
  Varied::nameOf = sameName;
  Varied::weightOf = sameWeight;
  const auto [models, ends] = onReplicas<Varied>(3, [](const Replicas& replicas, const Varied&) {
    CHECK(replicas.size() == 3);
    CHECK(replicas.weights().size() == 4);
    return checkSame(replicas);
  });
  CHECK(ends == Strings(3, "value"));
  for (const auto& model : models) CHECK(model->b.data() == Tensor<float>::zeros({2}));
}

TEST_CASE("the states of optimizers are those of rank 0") {
  Varied::nameOf = sameName;
  Varied::weightOf = sameWeight;
  const auto [models, ends] =
      onReplicas<Varied>(2, [](const Replicas&, const Varied&) { return Do<void>::now(); });
  train(models[0]->a * 1.0).blockingAwait();
  auto communicators = localCommunicators(2);
  const auto again =
      test::onAllRanks(communicators, [replicas = models](const LocalCommunicator& communicator) {
        return replicate(communicator, *replicas[communicator.rank()]).map([](const Replicas&) {}).run();
      }).blockingAwait();
  CHECK(again == Strings(2, "value"));
  for (const auto& model : models) train(model->a * 1.0).blockingAwait();
  CHECK(models[0]->a.data() == models[1]->a.data());
  CHECK(models[0]->a.data() == 1 - 0.5 - 0.5 * 1.9);
}

TEST_CASE("another name is refused on all ranks") {
  const auto ends = endsOf(
      3, [](std::size_t rank) { return std::string(rank == 2 ? "c" : "b"); }, sameWeight);
  for (const auto& end : ends) {
    CHECK_MESSAGE(
        end.find("tapestry::replicate: rank 2 has another model than rank 0, got \"c\" of F32 [2]") == 0,
        end);
    CHECK(end.find("expected \"b\" of F32 [2]") != std::string::npos);
  }
}

TEST_CASE("another shape, and another optimizer or rate, are refused on all ranks") {
  const auto shaped =
      endsOf(2, sameName, [](std::size_t rank) { return TensorWeight(Tensor<float>::zeros({2 + rank})); });
  for (const auto& end : shaped) CHECK_MESSAGE(end.find("got \"b\" of F32 [3]") != std::string::npos, end);
  const auto other = endsOf(2, sameName, [](std::size_t rank) {
    const auto initial = Tensor<float>::zeros({2});
    return rank == 0 ? TensorWeight(initial, sgd(0.5)) : TensorWeight(initial, adam({}));
  });
  for (const auto& end : other) CHECK_MESSAGE(end.find("tapestry::Adam") != std::string::npos, end);
  const auto rate = endsOf(2, sameName, [](std::size_t rank) {
    return TensorWeight(Tensor<float>::zeros({2}), sgd(rank == 0 ? 0.5 : 0.25));
  });
  for (const auto& end : rate) CHECK_MESSAGE(end.find("rank 1 has another model") != std::string::npos, end);
}

TEST_CASE("another version of the library is refused on all ranks") {
  Varied::nameOf = sameName;
  Varied::weightOf = sameWeight;
  const auto communicators = localCommunicators(2);
  // the sentences of rank 0, as rank 1 gets them from another version
  const auto ofAnotherVersion = [](const Bytes& bytes) {
    auto sentences = fromBytes<Strings>(bytes);
    CHECK(sentences.at(0) == "tapestry " TAPESTRY_VERSION_TEXT);
    sentences[0] = "tapestry 9.9.9";
    return toBytes(sentences);
  };
  const auto ends = test::onAllRanks(communicators, [=](const LocalCommunicator& communicator) {
                      test::RecordingCommunicator own{communicator, std::make_shared<test::Log>(), {}};
                      if (own.rank() == 1) own.changed = ofAnotherVersion;
                      return replicate(own, Varied(0)).map([](const Replicas&) {}).run();
                    }).blockingAwait();
  CHECK(
      ends ==
      Strings(2,
              "tapestry::replicate: rank 1 has another model than rank 0, got tapestry " TAPESTRY_VERSION_TEXT
              ", expected tapestry 9.9.9"));
}

TEST_CASE("checkSame names the first rank and weight that differ") {
  Varied::nameOf = sameName;
  Varied::weightOf = sameWeight;
  const auto [models, ends] = onReplicas<Varied>(3, [](const Replicas& replicas, const Varied& model) {
    if (replicas.rank() == 1) model.b.setData(Tensor<float>({2}, {0, 1}));
    return checkSame(replicas);
  });
  CHECK(ends == Strings(3, "tapestry::checkSame: rank 1 has another value of \"b\" than rank 0"));
}

TEST_CASE("a rank that is asked to stop while it replicates tells the others that it has left") {
  const auto learn = [](const LocalCommunicator& communicator) {
    const One model;
    return replicate(communicator, model)
        .flatMap([model](const Replicas& replicas) { return train(model.a * 1.0, allReduce(replicas)); })
        .map([](double) {})
        .run();
  };
  for (const int begun : {1, 21, 41}) {
    LocalOptions options;
    options.delay = [](std::size_t) { return std::chrono::microseconds(10); };
    const auto all = localCommunicators(2, options);  // they outlast the stop, as communicators of MPI do
    const auto pause = lift(sleepFor(std::chrono::microseconds(begun)));
    const auto stopped = race(learn(all[0]).attempt(), pause).map([](const auto&) {});
    testing::Scheduler scheduler;
    const auto end = scheduler.run(
        tuple2(parallel(stopped), parallel(test::onRank(all[1], learn))).map([](const auto& both) {
          return std::get<1>(both);
        }));
    CHECK(end.get() == "tapestry::train: rank 0 has left its replicas");
  }
}

TEST_CASE("options that differ are refused, and options of 0") {
  Varied::nameOf = sameName;
  Varied::weightOf = sameWeight;
  const auto communicators = localCommunicators(2);
  const auto ends = test::onAllRanks(communicators, [](const LocalCommunicator& communicator) {
                      return replicate(communicator, Varied(0), {.bucketBytes = 100 + communicator.rank()})
                          .map([](const Replicas&) {})
                          .run();
                    }).blockingAwait();
  for (const auto& end : ends) CHECK_MESSAGE(end.find("got buckets of 101 bytes") != std::string::npos, end);
  const auto others = localCommunicators(2);
  const auto counts = test::onAllRanks(others, [](const LocalCommunicator& communicator) {
                        return replicate(communicator, Varied(0), {.passes = 1 + communicator.rank()})
                            .map([](const Replicas&) {})
                            .run();
                      }).blockingAwait();
  for (const auto& end : counts) CHECK_MESSAGE(end.find("got 2 passes at a time") != std::string::npos, end);
  CHECK_THROWS_AS(static_cast<void>(replicate(communicators[0], Varied(0), {.passes = 0})),
                  std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(replicate(communicators[0], Varied(0), {.bucketBytes = 0})),
                  std::invalid_argument);
}

TEST_CASE(
    "a pass that its executor refuses while it waits for its turn fails the other ranks, and no later pass") {
  for (const std::size_t passes : {1, 2}) {
    const auto all = localCommunicators(2);
    const One models[2];
    std::vector<Replicas> replicas;
    const Event over;
    test::Delivery<void> scopes[2];
    for (std::size_t rank = 0; rank < 2; ++rank)
      replicate(all[rank], models[rank], {.passes = passes})
          .flatMap([&, rank](const Replicas& own) {
            // the ranks end together, in any order
            replicas.resize(2, own);
            replicas[rank] = own;
            return over.wait();
          })
          .run()
          .onComplete(scopes[rank].callback());
    const auto step = [&](std::size_t rank) {
      return train(models[rank].a * 1.0, allReduce(replicas[rank])).map([](double) {});
    };
    test::QueueExecutor executor;
    test::Delivery<void> first[2], refused;
    for (std::size_t i = 0; i < passes; ++i) step(0).onComplete(first[i].callback());
    step(0).onComplete(refused.callback(), executor);
    executor.work();
    executor.stop();
    for (std::size_t i = 0; i < passes; ++i) step(1).blockingAwait();
    CHECK(first[0].count() + first[1].count() == passes);
    REQUIRE(refused.count() == 1);
    CHECK(test::isError<ExecutorStopped>(refused.outcome().error()));
    const auto error = step(1).attempt().blockingAwait().error();
    REQUIRE(test::isError<RankError>(error));
    CHECK(test::errorText(error) ==
          "tapestry::train: rank 0 has failed: " + test::errorText(refused.outcome().error()));
    tuple2(parallel(step(0)), parallel(step(1))).map([](const auto&) {}).blockingAwait();
    over.set();
    CHECK(scopes[0].count() + scopes[1].count() == 2);
  }
}
