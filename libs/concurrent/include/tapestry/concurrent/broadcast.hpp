// Defines Broadcast, whose subscribers each get every item, and Subscription.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/detail/broadcast_gate.hpp"
#include "tapestry/raii/extend/wait_for.hpp"
#include "tapestry/raii/scoped.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The error of a subscriber that has fallen behind a Broadcast with SlowSubscribers::fail.
struct TooSlow final : std::exception {
  const char* what() const noexcept override;
};

/// The number of items that a subscriber may have yet to receive, and the treatment of slow subscribers.
struct BroadcastPolicy {
  std::ptrdiff_t capacity = 16;
  SlowSubscribers slow = SlowSubscribers::block;
};

namespace detail {

template <class A>
struct BroadcastItem final : Node {
  explicit BroadcastItem(A itemValue) noexcept : value(std::move(itemValue)) {}
  const A value;
};

template <class A>
struct BroadcastSubscriberOf final : BroadcastSubscriber {
  using BroadcastSubscriber::BroadcastSubscriber;

  bool takeBack(void* value, const void* type) const noexcept override {
    if (!value) return true;
    if (type == &valueKey<Try<A>>) return giveBack(static_cast<Try<A>*>(value)->get());
    if (type != &valueKey<Try<std::optional<A>>>) return false;
    return giveBack(*static_cast<Try<std::optional<A>>*>(value)->get());
  }

 private:
  bool giveBack(A& item) const noexcept {
    gate->giveBack(const_cast<BroadcastSubscriberOf&>(*this),
                   makeRef<const BroadcastItem<A>>(std::move(item)));
    return true;
  }
};

/// Yields a copy of the item; at the end fails, or yields nothing if Result is an optional.
template <class A, class Result>
class ReceiveItem : public BroadcastReceiver {
 public:
  using BroadcastReceiver::BroadcastReceiver;

  extend::Acquired<Result> served() {
    std::exception_ptr error;
    const auto item = this->receive(error);
    if (item) {
      auto value =
          Try<Result>::of([&]() -> Result { return static_cast<const BroadcastItem<A>&>(*item).value; });
      if (!value.hasValue()) return {std::move(value), {}};
      return {std::move(value), UnitContinuation<Errors>(Ref<const ProgramNode>(
                                    Ref<BroadcastSubscriber>::share(this->subscriber_)))};
    }
    if constexpr (!std::same_as<Result, A>)
      if (!error) return {Try<Result>::success(std::nullopt), {}};
    return {Try<Result>::failure(error ? error : std::make_exception_ptr(Closed())), {}};
  }
};

Do<void> publishing(Ref<BroadcastGate> gate, Ref<const Node> item, Location location);

}  // namespace detail

template <class A>
  requires std::copy_constructible<A> && std::is_nothrow_move_constructible_v<A>
class Broadcast;

/// One subscriber of a Broadcast, until the scope of `subscribe` ends; then receives fail with Closed. For
/// one receive at a time: a second receive that waits for the same item fails with std::logic_error. No item
/// is lost, as in a Channel: if a receive loses a race, its item becomes the next item again.
template <class A>
class Subscription {
 public:
  /// Yields a copy of the next item as soon as there is one. Fails with TooSlow according to the policy, and
  /// with the error given to `close`, or Closed, if the broadcast is closed and no item is left. A request to
  /// stop ends the wait, unless masked.
  [[nodiscard("a program does nothing until it is run")]] Do<A> receive(
      detail::Location location = detail::Location::current()) const {
    return extend::waitFor<A, detail::ReceiveItem<A, A>>(subscriber_, "Subscription::receive", location);
  }
  /// As receive, but yields nothing if the broadcast was closed without an error and no item is left.
  [[nodiscard("a program does nothing until it is run")]] Do<std::optional<A>> receiveOrEnd(
      detail::Location location = detail::Location::current()) const {
    using Place = detail::ReceiveItem<A, std::optional<A>>;
    return extend::waitFor<std::optional<A>, Place>(subscriber_, "Subscription::receiveOrEnd", location);
  }

 private:
  friend Broadcast<A>;
  explicit Subscription(const detail::Ref<detail::BroadcastGate>& gate)
      : subscriber_(detail::makeRef<detail::BroadcastSubscriberOf<A>>(gate)) {
    gate->subscribe(*subscriber_);
  }
  void end() const noexcept { subscriber_->gate->unsubscribe(*subscriber_); }

  detail::Ref<detail::BroadcastSubscriber> subscriber_;
};

/// Delivers each item to all subscribers that have subscribed before it was published. An item is kept once
/// for all of them. Copies share the broadcast. Usable from several threads at once, and by runs on any
/// executors; a waiting run blocks no thread, and continues on its own executor, never inside a step
/// of another run.
template <class A>
  requires std::copy_constructible<A> && std::is_nothrow_move_constructible_v<A>
class Broadcast {
 public:
  /// Throws std::invalid_argument for a capacity below 1.
  explicit Broadcast(const BroadcastPolicy& policy = {})
      : gate_(detail::makeRef<detail::BroadcastGate>(policy.capacity, policy.slow)) {}

  /// A subscription until the end of the scope, to the items that are published from now on.
  [[nodiscard("a program does nothing until it is run")]] Do<Subscription<A>> subscribe() const {
    return tapestry::resource(Do<Subscription<A>>::delay([gate = gate_] { return Subscription<A>(gate); }),
                              [](const Subscription<A>& subscription) { subscription.end(); });
  }

  /// Delivers the item to all subscribers. With SlowSubscribers::block, waits until all of them have room,
  /// first come, first served. Fails with the error given to `close`, or Closed, if the broadcast is closed
  /// before. A request to stop ends the wait, unless masked, and the item is not published; a request that
  /// comes when the item has just been published may cancel the run nevertheless.
  [[nodiscard("a program does nothing until it is run")]] Do<void> publish(
      A item, detail::Location location = detail::Location::current()) const {
    return detail::publishing(gate_, detail::makeRef<const detail::BroadcastItem<A>>(std::move(item)),
                              location);
  }

  /// Publishes at once, also from a thread without runs; false if a subscriber has no room, with
  /// SlowSubscribers::block, or if the broadcast is closed.
  bool tryPublish(A item) const {
    return gate_->tryPublish(detail::makeRef<const detail::BroadcastItem<A>>(std::move(item)));
  }

  /// Ends the broadcast: publishers fail, including waiting publishers, and subscribers receive the remaining
  /// items, then the end. Returns false if it was closed before.
  bool close() const noexcept { return gate_->close(nullptr); }
  /// As above; publishers, and receives at the end, fail with the error.
  bool close(std::exception_ptr error) const noexcept { return gate_->close(std::move(error)); }

  // These may be outdated on return.
  bool isClosed() const noexcept { return gate_->isClosed(); }
  std::size_t subscribers() const noexcept { return gate_->subscribers(); }

 private:
  detail::Ref<detail::BroadcastGate> gate_;
};

}  // namespace tapestry
#pragma GCC visibility pop
