// Training on two ranks: beside MPI_Allreduce by hand, beside one rank, and with a slow network beside none.
#include <tapestry/deeplearning.hpp>
#include <tapestry/distributed.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compare/compare.hpp"
#include "compare/process.hpp"

namespace tapestry::benchmarks {

namespace {

/// The time of a step, in ms, and the mean of the first losses.
using Step = std::pair<double, double>;

/// Runs programs/train_ranks.cpp on ranks of one thread each.
Step trainRanks(int ranks, const std::string& side, int batch) {
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  ::setenv("OPENBLAS_NUM_THREADS", "1", 0);
  const auto usage =
      runProcess({TAPESTRY_MPIEXEC, "--oversubscribe", "--bind-to", "none", "-n", std::to_string(ranks),
                  TAPESTRY_PROGRAMS_DIR "/train_ranks", side, std::to_string(batch)});
  std::istringstream output(usage.output);
  Step step;
  output >> step.first >> step.second;
  return step;
}

Row allReduceByHand() {
  const auto losses = std::make_shared<std::pair<double, double>>();
  const auto milliseconds = [](const std::string& side, double& loss) {
    const Step step = trainRanks(2, side, 64);
    loss = step.second;
    return step.first;
  };
  return {.name = "allreduce_hand",
          .unit = "ms/step",
          .peer = "MPI_Allreduce by hand",
          .target = 1,
          .threads = 2,
          .ours = [=] { return milliseconds("ours", losses->first); },
          .theirs = [=] { return milliseconds("hand", losses->second); },
          .fault =
              [losses] {
                if (std::abs(losses->first - losses->second) <= 1e-4) return std::string();
                throw std::runtime_error("the losses differ");
              }};
}

/// A batch of 1,000 on each of two ranks beside the same on one rank: 1.8 times as many examples in a second.
Row scaling() {
  return {.name = "ranks_mnist",
          .unit = "us/image",
          .peer = "one rank",
          .target = 1 / 1.8,
          .threads = 2,
          .ours = [] { return trainRanks(2, "ours", 1000).first / 2; },
          .theirs = [] { return trainRanks(1, "ours", 1000).first; },
          .repetitions = 7};
}

/// Eight layers of 512 x 512, of which each has a bucket of its own.
struct Deep {
  Deep() {
    Generator generator(1);
    for (int i = 0; i < 8; ++i) layers.emplace_back(glorotUniform({512, 512}, generator), sgd(0.001));
  }
  Weights weights() const {
    return {{"0", layers[0]}, {"1", layers[1]}, {"2", layers[2]}, {"3", layers[3]},
            {"4", layers[4]}, {"5", layers[5]}, {"6", layers[6]}, {"7", layers[7]}};
  }
  TensorLayer operator()(const TensorLayer& x) const {
    TensorLayer y = x;
    for (const auto& layer : layers) y = tanh(matmul(y, layer));
    return y;
  }
  std::vector<TensorWeight> layers;
};

/// The median time of a step, in ms, of two ranks of one thread, whose network takes `nanoseconds` for a
/// byte.
double stepOfTwoRanks(double nanosecondsPerByte) {
  LocalOptions options;
  options.delay = [nanosecondsPerByte](std::size_t bytes) {
    return std::chrono::nanoseconds(
        static_cast<std::int64_t>(nanosecondsPerByte * static_cast<double>(bytes)));
  };
  auto communicators = localCommunicators(2, options);
  std::array<std::vector<double>, 2> times;
  std::vector<std::thread> threads;
  for (auto& communicator : communicators)
    threads.emplace_back([communicator = std::move(communicator), &mine = times[threads.size()]] {
      const Deep model;
      Generator generator(2 + communicator.rank());
      const TensorLayer x(normal({128, 512}, 0, 1, generator));
      replicate(communicator, model, {.bucketBytes = 1024})
          .map([&](const Replicas& replicas) {
            const Reduction reduction = allReduce(replicas);
            for (int i = 0; i < 25; ++i) {
              const auto begin = std::chrono::steady_clock::now();
              train(mean(model(x)), reduction).blockingAwait();
              const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
              if (i >= 5) mine.push_back(time.count());
            }
          })
          .run()
          .blockingAwait();
    });
  for (auto& thread : threads) thread.join();
  std::ranges::sort(times[0]);
  return times[0][times[0].size() / 2];
}

/// The network takes as long for all gradients as the backward computation, which is two thirds of a step.
Row overlap() {
  const auto plain = std::make_shared<double>(0);
  constexpr double bytes = 8 * 512 * 512 * sizeof(float);
  return {.name = "reduce_overlap",
          .unit = "ms/step",
          .peer = "no delay of the network",
          .target = 1.25,
          .threads = 2,
          .ours =
              [=] {
                if (*plain == 0) *plain = stepOfTwoRanks(0);
                return stepOfTwoRanks(*plain * 2 / 3 * 1e6 / bytes);
              },
          .theirs = [=] { return *plain = stepOfTwoRanks(0); }};
}

}  // namespace

std::vector<Row> rows() { return {allReduceByHand(), scaling(), overlap()}; }

}  // namespace tapestry::benchmarks
