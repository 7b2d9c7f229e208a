// Whole programs: their memory beside that of the same in libtorch, and how soon one starts and ends.
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "compare/compare.hpp"
#include "compare/process.hpp"

namespace tapestry::benchmarks {

namespace {

const std::string programs = TAPESTRY_PROGRAMS_DIR "/";

Row memory(const std::string& work) {
  // what they print, so that the results can be compared
  const auto losses = std::make_shared<std::pair<double, double>>();
  const auto megabytes = [](const std::string& program, double& loss) {
    const auto usage = runProcess({programs + program});
    loss = std::stod(usage.output);
    return usage.megabytes;
  };
  return {.name = "memory_" + work + "_torch",
          .unit = "MiB",
          .peer = "libtorch",
          .target = 0.5,
          .ours = [=] { return megabytes("train_" + work + "_ours", losses->first); },
          .theirs = [=] { return megabytes("train_" + work + "_libtorch", losses->second); },
          .repetitions = 5,
          .fault =
              [losses] {
                if (std::abs(losses->first - losses->second) <= 1e-4) return std::string();
                throw std::runtime_error("the losses differ");
              },
          .leftOut = TAPESTRY_HAS_TORCH
                         ? ""
                         : "libtorch is not installed; 'scripts/bench --install-peers' installs it"};
}

}  // namespace

std::vector<Row> rows() {
  return {memory("paper"), memory("mnist"),
          // processor time, since that of the clock depends on what else the machine does
          Row{.name = "program_start",
              .unit = "ms",
              .peer = "budget",
              .target = 1,
              .ours = [] { return runProcess({programs + "train_one_step"}).processor; },
              .theirs = [] { return 50.0; },
              .repetitions = 15}};
}

}  // namespace tapestry::benchmarks
