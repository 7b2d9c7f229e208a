// A program for mpirun, of whose ranks number 1 is lost: "kill" by a signal, "hang" in a computation, "busy"
// the same while the others exchange messages all the time, "traverse" by a signal within parTraverseRanks,
// "forward" and "backward" by a signal within a step of replicas, "stuck" in the backward computation of such
// a step, "leave" by ending early, "ahead" by never coming to a broadcast that ends at once on some other
// ranks, which then wait in the next collective. The others print how their collective or their step ends.
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/distributed/all_reduce.hpp"
#include "tapestry/distributed/mpi/mpi_world.hpp"
#include "tapestry/distributed/par_traverse_ranks.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/lift.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

namespace {

void lose(const std::string& how) {
  if (how == "hang" || how == "busy" || how == "stuck" || how == "ahead") std::this_thread::sleep_for(60s);
  if (how != "leave") std::raise(SIGKILL);
}

/// In one piece, so that lines of several ranks do not mix.
void print(std::size_t rank, const std::string& text) {
  std::ostringstream line;
  line << "rank " << rank << ": " << text << "\n";
  std::cout << line.str() << std::flush;
}

/// Sends messages to this rank until the program has ended.
Do<void> amongMessages(const MpiCommunicator& all, const Do<void>& program) {
  const auto message =
      all.send(Bytes(8), all.rank(), 1).flatMap([all] { return all.receive(all.rank(), 1); });
  return race(program.attempt(), forever(message)).map([](const auto& end) {
    Try<void>(std::get<0>(end)).valueOrThrow();
  });
}

/// Rank 1 is killed by its first element.
Do<void> killedTraversal(const MpiCommunicator& all) {
  return parTraverseRanks(all, std::vector<int>(10), 1, [all](int) {
    return Do<void>::delay([all] {
      if (all.rank() == 1) std::raise(SIGKILL);
    });
  });
}

/// Ranks that need not wait for the broadcast come to the barrier long before the time limit of the others.
Do<void> broadcastAndMeet(const MpiCommunicator& all) {
  return all.broadcast(Bytes(4), 0).flatMap([](const Bytes&) { return lift(sleepFor(1s)); }).flatMap([all] {
    return all.barrier();
  });
}

/// Whether the program fails with an error that names rank 1 alone, which is printed.
bool isLost(const MpiCommunicator& all, const Do<void>& program) {
  try {
    program.blockingAwait();
    print(all.rank(), "value");
    return false;
  } catch (const RankError& error) {
    print(all.rank(), error.what());
    return error.ranks() == std::vector<std::size_t>{1};
  }
}

struct Chain {
  Weights weights() const { return {{"first", first}, {"second", second}, {"third", third}}; }
  DoubleLayer loss() const { return tanh(tanh(tanh(first * 2.0) * second) * third); }
  std::vector<double> values() const { return {first.data(), second.data(), third.data()}; }

  DoubleWeight first{1, sgd(0.5)}, second{1, sgd(0.5)}, third{1, sgd(0.5)};
};

/// Loses the process at the second event of a pass, of the forward computation or of the backward
/// computation.
class Losing final : public PassObserver {
 public:
  explicit Losing(std::string how) : how_(std::move(how)) {}
  void observe(Event event, std::string_view name, const void*) noexcept override {
    const Event at = how_ == "forward" ? Event::forward : Event::backward;
    if (event == at && name == "tanh" && ++count_ == 2) lose(how_);
  }

 private:
  const std::string how_;
  std::atomic<int> count_ = 0;
};

/// Whether this rank fails two steps after rank 1 was lost in the first of them, and keeps its weights.
bool losesSteps(const MpiCommunicator& all, const std::string& how) {
  const Chain chain;
  // a bucket for each weight, of which the first is sent before the end of rank 1
  return replicate(all, chain, {.bucketBytes = 1})
      .map([=](const Replicas& replicas) {
        const auto step = train(chain.loss(), allReduce(replicas)).map([](double) {});
        step.blockingAwait();
        const auto before = chain.values();
        if (all.rank() == 1) observed(step, std::make_shared<Losing>(how)).blockingAwait();
        const bool lost = isLost(all, step) && isLost(all, step);
        const bool kept = chain.values() == before && before != Chain().values();
        if (!kept) print(all.rank(), "value of a weight has changed");
        return lost && kept;
      })
      .run()
      .blockingAwait();
}

/// Whether this rank fails two collectives after rank 1 was lost.
bool losesCollectives(const MpiCommunicator& all, const std::string& how) {
  float value = 1;
  const auto sum = all.allReduce(std::span<float>(&value, 1));
  const auto first = how == "traverse" ? killedTraversal(all)
                     : how == "busy"   ? amongMessages(all, sum)
                     : how == "ahead"  ? broadcastAndMeet(all)
                                       : sum;
  return isLost(all, first) && isLost(all, how == "busy" ? first : sum);
}

/// Waits until all ranks but number 1 have called this, at most 20 s: mpirun ends all ranks as soon as one
/// rank ends without MPI_Finalize.
void awaitOthers(const MpiCommunicator& all) {
  const char* const ends = std::getenv("LOST_RANK_ENDS");
  if (!ends || all.rank() == 1) return;
  const std::filesystem::path folder(ends);
  std::ofstream(folder / std::to_string(all.rank())).close();
  const auto ended = [&] {
    std::error_code error;  // the folder may be removed meanwhile
    return std::distance(std::filesystem::directory_iterator(folder, error), {});
  };
  const auto others = static_cast<std::ptrdiff_t>(all.size()) - 1;
  for (int left = 400; left > 0 && ended() < others; --left) std::this_thread::sleep_for(50ms);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string how = count > 1 ? arguments[1] : "";
  MpiOptions options;
  options.timeLimit = 5s;
  options.grace = 500ms;
  const auto world = std::make_unique<MpiWorld>(options);
  const MpiCommunicator all = world->communicator();
  all.barrier().blockingAwait();
  const bool inStep = how == "forward" || how == "backward" || how == "stuck";
  if (all.rank() == 1 && !inStep && how != "traverse") {
    lose(how);
    return 0;
  }
  const bool lost = inStep ? losesSteps(all, how) : losesCollectives(all, how);
  awaitOthers(all);
  return lost ? 0 : 1;
}
