#include "tapestry/distributed/mpi/mpi_world.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "support/error_text.hpp"
#include "support/ranks/mpi_ranks.hpp"

using namespace tapestry;
using test::errorOf;
using test::mpiWorld;

TEST_CASE("MPI is initialised once") {
  const MpiCommunicator all = mpiWorld().communicator();
  CHECK(errorOf([] { return MpiWorld(), 0; }) ==
        "tapestry::MpiWorld: MPI is already initialised, expected one MpiWorld in the life of a process");
  CHECK(MpiWorld::current().size() == all.size());
  CHECK(MpiWorld::current().rank() == all.rank());
}

TEST_CASE("a process of MPI has a rank among as many as mpirun has started, or is alone") {
  const MpiCommunicator all = mpiWorld().communicator();
  const char* const openMpi = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* const ranks = openMpi ? openMpi : std::getenv("PMI_SIZE");  // of MPICH
  CHECK(all.size() == (ranks ? std::stoul(ranks) : 1));
  CHECK(all.rank() < all.size());
  CHECK(all.timeLimit() == std::chrono::seconds(30));
}

TEST_CASE("MPI gives no more threads than are asked for") {
  CHECK(mpiWorld().threads() <= test::mpiThreads());
}
