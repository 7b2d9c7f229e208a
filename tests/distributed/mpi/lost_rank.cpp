// A program for mpirun, of whose ranks number 1 is lost: "kill" by a signal, "hang" in a computation, "busy"
// the same while the others exchange messages all the time, "traverse" by a signal within parTraverseRanks,
// "leave" by ending early. The others print how their collective ends.
#include <csignal>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "tapestry/distributed/mpi/mpi_world.hpp"
#include "tapestry/distributed/par_traverse_ranks.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

namespace {

void lose(const std::string& how) {
  if (how == "kill") std::raise(SIGKILL);
  if (how == "hang" || how == "busy") std::this_thread::sleep_for(60s);
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

}  // namespace

int main(int count, char** arguments) {
  const std::string how = count > 1 ? arguments[1] : "";
  MpiOptions options;
  options.timeLimit = 1s;
  options.grace = 500ms;
  const auto world = std::make_unique<MpiWorld>(options);
  const MpiCommunicator all = world->communicator();
  all.barrier().blockingAwait();
  if (all.rank() == 1 && how != "traverse") {
    lose(how);
    return 0;
  }
  int lost = 0;
  for (int i = 0; i < 2; ++i) {
    try {
      float value = 1;
      const auto sum = all.allReduce(std::span<float>(&value, 1));
      const bool traverses = how == "traverse" && i == 0;
      (traverses ? killedTraversal(all) : how == "busy" ? amongMessages(all, sum) : sum).blockingAwait();
      print(all.rank(), "value");
    } catch (const RankError& error) {
      print(all.rank(), error.what());
      lost += error.rank() == 1;
    }
  }
  return lost == 2 ? 0 : 1;
}
