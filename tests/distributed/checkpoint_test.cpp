// Rank 0 writes a checkpoint, from which another number of ranks continues.
#include "tapestry/distributed/checkpoint.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/ranks/replica_ranks.hpp"
#include "support/system/temporary_directory.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/deeplearning/storage/load.hpp"
#include "tapestry/distributed/all_reduce.hpp"

using namespace tapestry;
using test::onReplicas;

namespace {

using Strings = std::vector<std::string>;

struct Single {
  explicit Single(std::size_t) {}
  Weights weights() const { return {{"a", a}}; }
  DoubleWeight a{1, momentum({.learningRate = 0.5})};
};

Do<void> step(const Replicas& replicas, const Single& model) {
  return train(model.a * 1.0, allReduce(replicas)).map([](double) {});
}

}  // namespace

TEST_CASE("a run is resumed with another number of ranks") {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "model.safetensors";
  const auto first = onReplicas<Single>(2, [=](const Replicas& replicas, const Single& model) {
    return step(replicas, model).flatMap([=] { return checkpoint(path, replicas); });
  });
  CHECK(first.ends == Strings(2, "value"));
  const auto resumed = onReplicas<Single>(3, [=](const Replicas& replicas, const Single& model) {
    if (replicas.rank() == 0) load(path, model);
    return replicate(replicas.communicator(), model)
        .flatMap([model](const Replicas& again) { return step(again, model); })
        .run();
  });
  CHECK(resumed.ends == Strings(3, "value"));
  const Single alone(0);
  train(alone.a * 1.0).blockingAwait();
  train(alone.a * 1.0).blockingAwait();
  for (const auto& model : resumed.models) CHECK(model->a.data() == alone.a.data());
}

TEST_CASE("a checkpoint that rank 0 cannot write fails all ranks") {
  const auto [models, ends] = onReplicas<Single>(2, [](const Replicas& replicas, const Single&) {
    return checkpoint("/nowhere/model.safetensors", replicas);
  });
  CHECK(ends[0].find("/nowhere/model.safetensors") != std::string::npos);
  CHECK(ends[1].find("tapestry::checkpoint: rank 0 has failed: ") == 0);
}
