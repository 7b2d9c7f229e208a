// Training on two ranks: beside MPI_Allreduce by hand, beside one rank, and with a slow network beside none.

#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "compare/compare.hpp"
#include "compare/process.hpp"
#include "work/two_ranks.hpp"

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

/// The network takes as long for all gradients as the backward computation, which is two thirds of a step.
Row overlap() {
  const auto plain = std::make_shared<double>(0);
  return {.name = "reduce_overlap",
          .unit = "ms/step",
          .peer = "no delay of the network",
          .target = 1.25,
          .threads = 2,
          .ours =
              [=] {
                if (*plain == 0) *plain = TwoRanks().step();
                return TwoRanks{.perByte = *plain * 2 / 3 * 1e6 / TwoRanks::bytes}.step();
              },
          .theirs = [=] { return *plain = TwoRanks().step(); }};
}

}  // namespace

std::vector<Row> rows() { return {allReduceByHand(), scaling(), overlap()}; }

}  // namespace tapestry::benchmarks
