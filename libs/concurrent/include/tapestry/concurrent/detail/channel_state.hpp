// Defines ChannelState, the state that the copies of a Channel share, and the places of its senders and
// receivers.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "tapestry/concurrent/detail/channel_gate.hpp"
#include "tapestry/raii/extend/returning_release.hpp"
#include "tapestry/raii/extend/wait_for.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A>
struct ChannelItemOf final : ChannelItem {
  explicit ChannelItemOf(A itemValue) noexcept : value(std::move(itemValue)) {}
  A value;
};

/// Returns the value of the item, and deletes the item.
template <class A>
A takeChannelItem(ChannelItem* item) noexcept {
  auto* const whole = static_cast<ChannelItemOf<A>*>(item);
  A value = std::move(whole->value);
  delete whole;
  return value;
}

/// As a program, this is the release of received items, which go back if no function has got them.
template <class A>
class ChannelState final : public extend::ReturningRelease {
 public:
  explicit ChannelState(std::size_t capacity) noexcept : gate(capacity) {}

  bool takeBack(void* value, const void* type) const noexcept override {
    if (!value) return true;
    ChannelItems items;
    const auto add = [&items](auto&& item) {
      items.pushBack(*new ChannelItemOf<A>(static_cast<A>(std::move(item))));
    };
    if (type == &valueKey<Try<A>>)
      add(static_cast<Try<A>*>(value)->get());
    else if (type == &valueKey<Try<std::optional<A>>>)
      add(*static_cast<Try<std::optional<A>>*>(value)->get());
    else if (type == &valueKey<Try<std::vector<A>>>)
      for (auto&& item : static_cast<Try<std::vector<A>>*>(value)->get()) add(item);
    else
      return false;
    gate.giveBack(std::move(items));
    return true;
  }

  mutable ChannelGate gate;
};

/// The request of a run that sends the result of make(). If F has the type DroppedIfClosed, a closed channel
/// drops the item, which is no error.
template <class A, class F>
class ChannelSend : public ChannelSender {
 public:
  struct Request {
    Ref<ChannelState<A>> channel;
    F make;
  };

  explicit ChannelSend(const Request& request) noexcept : ChannelSender(request.channel->gate) {
    try {
      this->item_ = new ChannelItemOf<A>(request.make());
    } catch (...) {
      error_ = std::current_exception();
    }
  }
  /// Takes over from a place that could not enter, in order to wait.
  ChannelSend(const Request& request, ChannelSend&& before) noexcept : ChannelSender(request.channel->gate) {
    this->item_ = std::exchange(before.item_, nullptr);
  }

  extend::Acquired<void> served() {
    this->served_.wake();
    if (error_) return {Try<void>::failure(std::move(error_)), {}};
    if constexpr (!requires { typename F::DroppedIfClosed; })
      if (this->item_) return {Try<void>::failure(this->gate_.error()), {}};
    return {Try<void>::success(Unit{}), {}};
  }

 private:
  std::exception_ptr error_;  ///< of making the item
};

/// The request of a run that receives: `As::of` makes the run's result of the items.
template <class A, class As>
class ChannelReceive : public ChannelReceiver {
  using Value = typename As::Value;

 public:
  struct Request {
    Ref<ChannelState<A>> channel;
    std::size_t most;
  };

  explicit ChannelReceive(const Request& request) noexcept
      : ChannelReceiver(request.channel->gate, request.most), channel_(*request.channel) {}

  extend::Acquired<Value> served() {
    this->served_.wake();
    if (this->items_.size() == 0) return {As::end(this->gate_), {}};
    return {As::of(this->items_),
            UnitContinuation<Errors>(Ref<const ProgramNode>(Ref<ChannelState<A>>::share(&channel_)))};
  }

 private:
  ChannelState<A>& channel_;
};

/// One item; the end is an error.
template <class A>
struct AsItem {
  using Value = A;
  static Try<A> of(ChannelItems& items) { return Try<A>::success(takeChannelItem<A>(items.popFront())); }
  static Try<A> end(const ChannelGate& gate) { return Try<A>::failure(gate.error()); }
};

/// One item, or nothing at the end, unless the channel was closed with an error.
template <class A>
struct AsItemOrEnd {
  using Value = std::optional<A>;
  static Try<Value> of(ChannelItems& items) {
    return Try<Value>::success(takeChannelItem<A>(items.popFront()));
  }
  static Try<Value> end(const ChannelGate& gate) {
    return gate.closedWithError() ? Try<Value>::failure(gate.error()) : Try<Value>::success(std::nullopt);
  }
};

/// Some items, or none at the end, unless the channel was closed with an error.
template <class A>
struct AsItems {
  using Value = std::vector<A>;
  static Try<Value> of(ChannelItems& items) {
    Value values;
    values.reserve(items.size());
    while (items.size() > 0) values.push_back(takeChannelItem<A>(items.popFront()));
    return Try<Value>::success(std::move(values));
  }
  static Try<Value> end(const ChannelGate& gate) {
    return gate.closedWithError() ? Try<Value>::failure(gate.error()) : Try<Value>::success({});
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
