// Defines Channel, a queue through which runs send items to other runs.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/detail/channel_state.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A queue of items in order, for any number of senders and receivers, first come, first served. Copies share
/// the channel. Usable from several threads at once, and by runs on any executors; a waiting run blocks no
/// thread, and continues on its own executor, never inside a step of another run.
///
/// No item is lost: a run that is asked to stop, loses a race or fails in a parallel branch beside the
/// receive, before a function has got the item, gives the item back as the first item. An item belongs to the
/// program that receives it from the first function on that gets it (`map`, `flatMap`), from the end of a
/// scope (`run()`), or from the end of a tuple or traversal that holds it.
template <class A>
  requires std::is_nothrow_move_constructible_v<A>
class Channel {
 public:
  /// A channel in which up to `capacity` items wait; with 0, each send waits for its receive (a rendezvous).
  /// Throws std::invalid_argument for a capacity below 0.
  explicit Channel(std::ptrdiff_t capacity)
      : Channel(detail::atLeast(0, capacity, "Channel", "the capacity"), Tag()) {}
  /// A channel in which no send waits.
  static Channel unbounded() { return Channel(detail::ChannelGate::unbounded, Tag()); }

  /// Sends a copy of the item as soon as there is room. Fails with the error given to `close`, or Closed, if
  /// the channel is closed before. A request to stop ends the wait, unless masked: the item was sent if and
  /// only if this yields. An item that was sent stays sent if another branch of a race wins.
  [[nodiscard("a program does nothing until it is run")]] Do<void> send(
      A item, detail::Location location = detail::Location::current()) const
    requires std::copy_constructible<A>
  {
    return sendMade([item = std::move(item)] { return item; }, location);
  }
  /// As send, for the result of make() in each run, which need not be copyable. Fails with the exception of
  /// make().
  template <class F>
    requires std::is_invocable_r_v<A, const F&>
  [[nodiscard("a program does nothing until it is run")]] Do<void> sendMade(
      F make, detail::Location location = detail::Location::current()) const {
    return extend::waitFor<void, detail::ChannelSend<A, F>>({state_, std::move(make)}, "Channel::send",
                                                            location);
  }
  void sendMade(...) const = delete;  // expected a function A() without arguments, const, not mutable

  /// Receives the next item as soon as there is one. Fails with the error given to `close`, or Closed, if the
  /// channel is closed and has no item left. A request to stop ends the wait, unless masked.
  [[nodiscard("a program does nothing until it is run")]] Do<A> receive(
      detail::Location location = detail::Location::current()) const {
    return receiveAs<detail::AsItem<A>>(1, "Channel::receive", location);
  }
  /// As receive, but yields nothing if the channel was closed without an error and has no item left.
  [[nodiscard("a program does nothing until it is run")]] Do<std::optional<A>> receiveOrEnd(
      detail::Location location = detail::Location::current()) const {
    return receiveAs<detail::AsItemOrEnd<A>>(1, "Channel::receiveOrEnd", location);
  }
  /// Receives the items that are there, at least 1 and at most `most`, in order; an empty vector where
  /// receiveOrEnd yields nothing. Throws std::invalid_argument for 0.
  [[nodiscard("a program does nothing until it is run")]] Do<std::vector<A>> receiveSome(
      std::size_t most, detail::Location location = detail::Location::current()) const {
    detail::positive(most, "Channel::receiveSome", "the number of items");
    return receiveAs<detail::AsItems<A>>(most, "Channel::receiveSome", location);
  }

  /// Sends the item at once, also from a thread without runs; false, and `item` is unchanged, if there is no
  /// room, or the channel is closed.
  bool trySend(A&& item) const
    requires std::is_move_assignable_v<A>
  {
    auto* const sent = new detail::ChannelItemOf<A>(std::move(item));
    if (state_->gate.trySend(*sent)) return true;
    item = detail::takeChannelItem<A>(sent);
    return false;
  }
  bool trySend(const A& item) const
    requires std::copy_constructible<A>
  {
    auto* const sent = new detail::ChannelItemOf<A>(item);
    if (state_->gate.trySend(*sent)) return true;
    delete sent;
    return false;
  }
  void trySend(...) const = delete;  // expected an item that can be copied, or can be assigned by a move
  /// The next item, or nothing if there is none now.
  std::optional<A> tryReceive() const {
    auto* const item = state_->gate.tryReceive();
    return item ? std::optional<A>(detail::takeChannelItem<A>(item)) : std::nullopt;
  }

  /// Ends the channel: sends fail, including waiting sends, and receives get the remaining items, then the
  /// end. Returns false if it was closed before.
  bool close() const noexcept { return state_->gate.close(nullptr); }
  /// As above; sends, and receives at the end, fail with the error.
  bool close(std::exception_ptr error) const noexcept { return state_->gate.close(std::move(error)); }

  // These may be outdated on return.
  bool isClosed() const noexcept { return state_->gate.isClosed(); }
  /// The number of items that wait.
  std::size_t size() const noexcept { return state_->gate.size(); }

 private:
  struct Tag {};
  Channel(std::size_t capacity, Tag) : state_(detail::makeRef<detail::ChannelState<A>>(capacity)) {}

  template <class As>
  auto receiveAs(std::size_t most, const char* name, detail::Location location) const {
    return extend::waitFor<typename As::Value, detail::ChannelReceive<A, As>>({state_, most}, name, location);
  }

  detail::Ref<detail::ChannelState<A>> state_;
};

}  // namespace tapestry
#pragma GCC visibility pop
