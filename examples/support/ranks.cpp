#include "support/ranks.hpp"

#include <fstream>
#include <iostream>
#include <ostream>
#include <utility>
#include <vector>

#if TAPESTRY_HAS_DISTRIBUTED
#include <tapestry/distributed.hpp>
#endif

#include "support/input_error.hpp"

namespace tapestry::examples {

#if TAPESTRY_HAS_DISTRIBUTED
struct Ranks::World {
  MpiWorld mpi;
};
#else
struct Ranks::World {
  World() {
    throw InputError("--distributed", "this program was built without libs/distributed, which needs MPI");
  }
};
#endif

Ranks::Ranks(bool distributed, std::optional<std::filesystem::path> traceFile)
    : world_(distributed ? std::make_unique<World>() : nullptr),
      traceFile_(std::move(traceFile)),
      trace_(traceFile_ ? std::make_shared<ChromePassTrace>(ChromePassTrace::Options{.process = share().rank})
                        : nullptr) {
  if (trace_ && share().rank == 0 && !std::ofstream(*traceFile_))
    throw InputError("--trace", "cannot write " + traceFile_->string());
  if (share().rank != 0) std::cout.setstate(std::ios_base::badbit);
}

Ranks::~Ranks() = default;

Terminal Ranks::terminal() const {
  static std::ostream nowhere(nullptr);
  return share().rank == 0 ? standardError() : Terminal{nowhere, [] { return std::nullopt; }};
}

#if TAPESTRY_HAS_DISTRIBUTED
Share Ranks::share() const {
  if (!world_) return {};
  const auto communicator = world_->mpi.communicator();
  return {communicator.rank(), communicator.size()};
}

Do<Steps> Ranks::steps(const Weights& weights, std::size_t passes) const {
  if (!world_) return Do<Steps>::now(Steps());
  return replicate(world_->mpi.communicator(), weights, {.passes = passes}).map([](const Replicas& replicas) {
    const auto reductionOf = [replicas](std::size_t items) {
      return allReduce(replicas, {.weight = static_cast<double>(items)});
    };
    return Steps(reductionOf, joinStep(replicas));
  });
}
#else
Share Ranks::share() const { return {}; }
Do<Steps> Ranks::steps(const Weights&, std::size_t) const { return Do<Steps>::now(Steps()); }
#endif

void Ranks::writeTrace() const {
  if (!trace_) return;
  std::string events = trace_->events();
#if TAPESTRY_HAS_DISTRIBUTED
  if (world_) {
    std::string all;
    for (const auto& bytes : world_->mpi.communicator().gather(toBytes(events), 0).blockingAwait())
      all += fromBytes<std::string>(bytes);
    events = all;
  }
#endif
  if (share().rank != 0) return;
  std::ofstream file(*traceFile_);
  file << ChromePassTrace::file(events);
  if (!file.flush()) throw InputError("--trace", "cannot write " + traceFile_->string());
}

}  // namespace tapestry::examples
