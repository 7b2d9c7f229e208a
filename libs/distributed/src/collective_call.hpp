// Defines CollectiveCall, what one rank asks of all ranks, and Failure, why a collective fails on all ranks.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tapestry/distributed/communicator.hpp"

namespace tapestry::detail {

enum class CollectiveKind { allReduce, broadcast, gather, allGather, barrier, split };
/// After `none`, in the order of ReducedElements.
enum class ElementType { none, float32, float64, uint64 };

struct CollectiveCall {
  CollectiveKind kind = CollectiveKind::barrier;
  ElementType element = ElementType::none;  ///< of an allReduce
  ReduceOp op = ReduceOp::sum;              ///< of an allReduce
  std::size_t count = 0;                    ///< of elements of an allReduce
  std::size_t root = 0;

  friend bool operator==(const CollectiveCall&, const CollectiveCall&) = default;
};

struct Failure {
  enum class Kind {
    rank,      ///< a RankError about the ranks
    argument,  ///< an std::invalid_argument: the ranks call differently
    system     ///< an std::runtime_error: MPI has reported an error
  };

  Kind kind = Kind::argument;
  std::string text;
  std::vector<std::size_t> ranks = {};

  /// A new exception each time, since each run adds its places to the trace.
  std::exception_ptr toException() const;
};

/// Such as "allReduce (sum of 3 floats)" or "broadcast (root 1)".
std::string nameOf(const CollectiveCall& call);
/// What dumpRuns shows for a run that waits, such as "Communicator::barrier".
const char* waitNameOf(CollectiveKind kind) noexcept;
/// Such as "rank 1" or "ranks 0, 2 and 3".
std::string nameOfRanks(const std::vector<std::size_t>& ranks);

/// Such as "0.5 s".
std::string secondsOf(Clock::Duration duration);
/// What the error says.
std::string textOf(const std::exception_ptr& error);

/// The call that reduces the values.
CollectiveCall reductionOf(const ReducedElements& values, ReduceOp op);
std::span<std::byte> bytesOf(const ReducedElements& values);

/// result[i] = op(result[i], values[i]), for spans of the same size, of elements of the type.
void reduceInto(std::span<std::byte> result, std::span<const std::byte> values, ElementType element,
                ReduceOp op);

/// The failure of calls that differ from the first, or whose root is no rank.
template <class F>
std::optional<Failure> mismatchAmong(std::size_t size, const F& callOf) {
  const CollectiveCall first = callOf(0);
  for (std::size_t rank = 1; rank < size; ++rank) {
    const CollectiveCall call = callOf(rank);
    if (call == first) continue;
    return Failure{Failure::Kind::argument,
                   "tapestry::Communicator: the ranks run different collectives, got " + nameOf(call) +
                       " on rank " + std::to_string(rank) + ", expected " + nameOf(first) + " as on rank 0"};
  }
  if (first.root < size) return std::nullopt;
  return Failure{Failure::Kind::argument, "tapestry::Communicator: there is no such root, got " +
                                              nameOf(first) + ", expected a root less than " +
                                              std::to_string(size)};
}

/// Throws std::invalid_argument for a tag that is out of range, naming the operation.
void checkTag(const char* operation, int tag);
/// Throws std::invalid_argument for a rank that is out of range, naming the operation.
void checkRank(const char* operation, std::size_t rank, std::size_t size);

}  // namespace tapestry::detail
