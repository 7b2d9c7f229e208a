// Defines onReplicas, which runs a program for each of several ranks with a model of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/ranks.hpp"
#include "tapestry/distributed.hpp"

namespace tapestry::test {

/// One model for each rank, and how the program of each rank has ended.
template <class Model>
struct ReplicaRanks {
  std::vector<std::shared_ptr<Model>> models;
  std::vector<std::string> ends;
};

/// Runs body(replicas, model) on all ranks at once, by `run`, which gets a Do and returns its value. The
/// model of rank r is Model(r).
template <class Model, class Run, class Body>
ReplicaRanks<Model> onReplicas(std::size_t ranks, ReplicaOptions options, const Run& run, Body body,
                               LocalOptions local = {}) {
  ReplicaRanks<Model> result;
  for (std::size_t rank = 0; rank < ranks; ++rank) result.models.push_back(std::make_shared<Model>(rank));
  auto communicators = localCommunicators(ranks, local);
  const auto program =
      onAllRanks(communicators, [models = result.models, options, body](const auto& communicator) {
        const auto model = models[communicator.rank()];
        return replicate(communicator, model->weights(), options)
            .flatMap([model, body](const Replicas& replicas) { return body(replicas, *model); })
            .run();
      });
  communicators.clear();
  result.ends = run(program);
  return result;
}

/// Runs a program on the calling thread.
inline constexpr auto onThisThread = [](const auto& program) { return program.blockingAwait(); };

}  // namespace tapestry::test
