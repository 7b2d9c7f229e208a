// A call with a wrong argument is refused by constraints, which `requires` sees.
#include <doctest/doctest.h>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/callable.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/distributed/all_reduce.hpp"
#include "tapestry/distributed/any_communicator.hpp"
#include "tapestry/distributed/checkpoint.hpp"
#include "tapestry/distributed/local_communicator.hpp"
#include "tapestry/distributed/par_traverse_ranks.hpp"
#include "tapestry/distributed/replicas.hpp"
#include "tapestry/distributed/scatter.hpp"
#include "tapestry/distributed/wire.hpp"

using namespace tapestry;

namespace distributed_constraints {

using Local = LocalCommunicator;
using Numbers = std::vector<int>;
using MakesInt = Do<int> (*)(int);
struct Items {
  std::size_t size() const { return 1; }
  int get(std::size_t) const { return 1; }
};

// Each line: what the function accepts, and what it refuses.
static_assert(TAPESTRY_CALLABLE(tapestry::parTraverseRanks, Local, Numbers, std::size_t, MakesInt));
static_assert(!TAPESTRY_CALLABLE(tapestry::parTraverseRanks, Nothing, Numbers, std::size_t, MakesInt) &&
              !TAPESTRY_CALLABLE(tapestry::parTraverseRanks, Local, int, std::size_t, MakesInt) &&
              !TAPESTRY_CALLABLE(tapestry::parTraverseRanks, Local, Numbers, std::size_t, int (*)(int)));
static_assert(TAPESTRY_CALLABLE(tapestry::scatter, Batches<Items>, Local) &&
              !TAPESTRY_CALLABLE(tapestry::scatter, Batches<Items>, Nothing) &&
              !TAPESTRY_CALLABLE(tapestry::scatter, Numbers, Local));
static_assert(TAPESTRY_CALLABLE(tapestry::replicate, Local, Dense<float>) &&
              TAPESTRY_CALLABLE(tapestry::replicate, AnyCommunicator, Weights));
static_assert(!TAPESTRY_CALLABLE(tapestry::replicate, Nothing, Dense<float>) &&
              !TAPESTRY_CALLABLE(tapestry::replicate, Local, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::checkSame, Replicas) &&
              !TAPESTRY_CALLABLE(tapestry::checkSame, Weights));
static_assert(TAPESTRY_CALLABLE(tapestry::allReduce, Replicas) &&
              !TAPESTRY_CALLABLE(tapestry::allReduce, Weights));
static_assert(TAPESTRY_CALLABLE(tapestry::joinStep, Replicas) &&
              !TAPESTRY_CALLABLE(tapestry::joinStep, Weights));
static_assert(TAPESTRY_CALLABLE(tapestry::checkpoint, const char*, Replicas) &&
              !TAPESTRY_CALLABLE(tapestry::checkpoint, const char*, Weights));
static_assert(TAPESTRY_CALLABLE(tapestry::localCommunicators, int) &&
              !TAPESTRY_CALLABLE(tapestry::localCommunicators, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::toBytes, std::vector<std::string>) &&
              !TAPESTRY_CALLABLE(tapestry::toBytes, Nothing));
static_assert(TAPESTRY_CALLABLE(tapestry::fromBytes<int>, std::span<const std::byte>) &&
              !TAPESTRY_CALLABLE(tapestry::fromBytes<Nothing>, std::span<const std::byte>));
static_assert(std::constructible_from<AnyCommunicator, Local> &&
              !std::constructible_from<AnyCommunicator, Nothing>);
static_assert(HasWire<Numbers> && !HasWire<Nothing>);

}  // namespace distributed_constraints

TEST_CASE("functions of ranks are chosen only for arguments that they accept") {
  CHECK(TAPESTRY_CALLABLE(tapestry::toBytes, int));
  CHECK_FALSE(TAPESTRY_CALLABLE(tapestry::toBytes, Nothing));
}
