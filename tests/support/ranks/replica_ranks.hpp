// Defines onReplicas and onReplicaThreads, which run a program for each of several ranks with a model of its
// own.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/ranks/ranks.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/distributed.hpp"

namespace tapestry::test {

/// One model for each rank, and how the program of each rank has ended.
template <class Model>
struct ReplicaRanks {
  std::vector<std::shared_ptr<Model>> models;
  std::vector<std::string> ends;
};

/// One model for each rank. The model of rank r is Model(r).
template <class Model>
std::vector<std::shared_ptr<Model>> modelsOf(std::size_t ranks) {
  std::vector<std::shared_ptr<Model>> models;
  for (std::size_t rank = 0; rank < ranks; ++rank) models.push_back(std::make_shared<Model>(rank));
  return models;
}

/// Runs body(replicas, model) with the rank's model.
template <class Model, class Body>
auto replicating(std::vector<std::shared_ptr<Model>> models, ReplicaOptions options, Body body) {
  return [models = std::move(models), options, body](const auto& communicator) {
    const auto model = models[communicator.rank()];
    return replicate(communicator, model->weights(), options)
        .flatMap([model, body](const Replicas& replicas) { return body(replicas, *model); })
        .run();
  };
}

/// Runs a program on the calling thread.
inline constexpr auto onThisThread = [](const auto& program) { return program.blockingAwait(); };

/// Runs body(replicas, model) on all ranks at once, by `run`, which gets a Do and returns its value.
template <class Model, class Run, class Body>
ReplicaRanks<Model> onReplicas(std::size_t ranks, ReplicaOptions options, const Run& run, Body body,
                               LocalOptions local = {}) {
  ReplicaRanks<Model> result{modelsOf<Model>(ranks), {}};
  auto communicators = localCommunicators(ranks, local);
  const auto program = onAllRanks(communicators, replicating(result.models, options, body));
  communicators.clear();
  result.ends = run(program);
  return result;
}

/// The same on the calling thread, with the default options.
template <class Model, class Body>
ReplicaRanks<Model> onReplicas(std::size_t ranks, Body body, const LocalOptions& local = {}) {
  return onReplicas<Model>(ranks, {}, onThisThread, body, local);
}

/// Runs body(replicas, model) on two threads for each rank.
template <class Model, class Body>
ReplicaRanks<Model> onReplicaThreads(std::size_t ranks, ReplicaOptions options, Body body) {
  ReplicaRanks<Model> result{modelsOf<Model>(ranks), std::vector<std::string>(ranks)};
  std::vector<std::thread> threads;
  for (const auto& communicator : localCommunicators(ranks)) {
    const auto program = onRank(communicator, replicating(result.models, options, body));
    threads.emplace_back([program, &end = result.ends[communicator.rank()]] {
      ThreadPool helper(1);
      end = program.blockingAwait(helper);
    });
  }
  for (auto& thread : threads) thread.join();
  return result;
}

}  // namespace tapestry::test
