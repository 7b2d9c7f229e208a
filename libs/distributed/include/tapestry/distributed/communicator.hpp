// Defines Communicator, the concept of one rank's handle on a group of ranks, with ReduceOp, ReducedElements,
// Bytes and Message.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The function by which allReduce combines the values of all ranks, element by element.
enum class ReduceOp { sum, min, max };

/// The elements that allReduce combines.
using ReducedElements = std::variant<std::span<float>, std::span<double>, std::span<std::uint64_t>>;

/// Plain bytes, as ranks exchange them; wire.hpp makes them of values.
using Bytes = std::vector<std::byte>;

/// What `receive` yields: the sender, and the bytes that it has sent.
struct Message {
  std::size_t from = 0;
  Bytes bytes;
};

/// The tags of messages are from 0 to this number. The library's own messages on a communicator of the user
/// have the tags from `reservedTags` on.
inline constexpr int lastTag = 32'766;
inline constexpr int reservedTags = 32'000;

/// One rank's handle on a group of ranks, which number themselves from 0 to size() - 1. Copies are the same
/// rank, and may be used on several threads. Communicators that `split` has made do not mix with the
/// communicator that they were split from.
///
/// `allReduce`, `broadcast`, `gather`, `allGather`, `barrier` and `split` are collectives: programs that all
/// ranks run, each collective once, in the same order on one communicator. Nothing happens before a program
/// is run, and its place in the order is given when its run begins. A collective may begin before the last
/// has ended. A request to stop has an effect before the collective begins, and none afterwards: then the
/// collective ends by its completion, or by the time limit of the communicator, on the clock of the runs or,
/// with MPI, of the system. If a rank does not come in time, all waiting ranks fail with a RankError that
/// names it, and later collectives on this communicator fail at once. A group of one rank completes at once.
///
/// - `allReduce(values, op, owner)` replaces each element by the sum, the least or the greatest of all ranks'
///   elements, which has the same bits on all ranks. The spans have the same size on all ranks. The owner
///   keeps the elements alive; the caller leaves them alone until the end. Without an owner, the elements are
///   copied at the beginning, and written only when the program succeeds.
/// - `broadcast(bytes, root)` yields the bytes of the root on all ranks; other ranks' bytes are ignored.
/// - `gather(bytes, root)` yields the bytes of all ranks, in order of rank, on the root, and nothing on the
///   other ranks; `allGather(bytes)` yields them on all ranks. Their lengths may differ.
/// - `barrier()` completes when all ranks have begun it.
/// - `split(color)` yields a communicator of the ranks that give the same color, in order of rank.
///
/// `send(bytes, to, tag)` and `receive(from, tag)` are no collectives. Messages of one sender with one tag
/// arrive in order. `send` completes when the bytes need no longer be kept; `receive` from nullopt takes a
/// message of any rank. A request to stop ends the wait of `receive`, which has no time limit: use
/// `timeout`.
template <class C>
concept Communicator =
    std::copy_constructible<C> &&
    requires(const C& c, std::span<float> floats, std::span<double> doubles, std::span<std::uint64_t> counts,
             ReduceOp op, std::shared_ptr<const void> owner, Bytes bytes, std::size_t number, int tag,
             std::optional<std::size_t> from) {
      { c.rank() } -> std::same_as<std::size_t>;
      { c.size() } -> std::same_as<std::size_t>;
      { c.timeLimit() } -> std::same_as<Clock::Duration>;
      { c.allReduce(floats, op, owner) } -> std::same_as<Do<void>>;
      { c.allReduce(doubles, op, owner) } -> std::same_as<Do<void>>;
      { c.allReduce(counts, op, owner) } -> std::same_as<Do<void>>;
      { c.allReduce(floats) } -> std::same_as<Do<void>>;
      { c.broadcast(bytes, number) } -> std::same_as<Do<Bytes>>;
      { c.gather(bytes, number) } -> std::same_as<Do<std::vector<Bytes>>>;
      { c.allGather(bytes) } -> std::same_as<Do<std::vector<Bytes>>>;
      { c.barrier() } -> std::same_as<Do<void>>;
      { c.split(number) } -> std::same_as<Do<C>>;
      { c.send(bytes, number, tag) } -> std::same_as<Do<void>>;
      { c.receive(from, tag) } -> std::same_as<Do<Message>>;
    };

}  // namespace tapestry
#pragma GCC visibility pop
