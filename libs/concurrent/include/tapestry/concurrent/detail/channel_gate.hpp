// Defines ChannelGate, the queue of a channel and the order in which runs send and receive, whatever the
// items are.
#pragma once

#include <cstddef>
#include <limits>
#include <utility>

#include "tapestry/concurrent/detail/closable_queue.hpp"

namespace tapestry::detail {

/// Throws std::invalid_argument unless the capacity is at least 0, and returns it.
std::size_t channelCapacity(std::ptrdiff_t capacity);
/// Throws std::invalid_argument for 0.
void checkReceiveSome(std::size_t most);

/// An item on its way, whose owner is one of: a sender, the gate, a receiver.
struct ChannelItem : Pooled {
  virtual ~ChannelItem() = default;
  ChannelItem* next = nullptr;
};

/// Items in order, linked by `next`.
class ChannelItems {
 public:
  ChannelItems() noexcept = default;
  ChannelItems(ChannelItems&& other) noexcept;
  ChannelItems& operator=(ChannelItems&&) = delete;
  ~ChannelItems();

  std::size_t size() const noexcept { return size_; }
  void pushBack(ChannelItem& item) noexcept;
  void pushFront(ChannelItem& item) noexcept;
  /// Null where there are none. The caller owns it.
  ChannelItem* popFront() noexcept;

 private:
  ChannelItem* first_ = nullptr;
  ChannelItem* last_ = nullptr;
  std::size_t size_ = 0;
};

/// Runs that others have served, to be woken in order when the lock has been let go.
class ServedRuns {
 public:
  ServedRuns() noexcept = default;
  ServedRuns(const ServedRuns&) = delete;
  ServedRuns& operator=(const ServedRuns&) = delete;

  /// Of a waiter that was popped.
  void add(WaitQueue::Waiter& waiter) noexcept {
    *end_ = &waiter;
    end_ = &waiter.nextWaiter;
  }
  void wake() noexcept {
    end_ = &first_;
    wakeAll(std::exchange(first_, nullptr));
  }

 private:
  WaitQueue::Waiter* first_ = nullptr;
  WaitQueue::Waiter** end_ = &first_;
};

class ChannelGate;

/// One run that sends or receives. While any wait, all are of one kind: receivers wait where there is no
/// item, senders where there is no room.
class ChannelPlace : public Waiter {
 public:
  ChannelPlace(ChannelGate& gate, bool isSender) noexcept;

 protected:
  ChannelGate& gate_;
  ServedRuns served_;  ///< to be woken once this has entered

 private:
  friend ChannelGate;
  const bool sends_;
};

/// A sender has its item until the gate or a receiver has taken it. Without an item it need not wait.
class ChannelSender : public ChannelPlace {
 public:
  explicit ChannelSender(ChannelGate& gate) noexcept : ChannelPlace(gate, true) {}
  ~ChannelSender() override { delete item_; }

 protected:
  ChannelItem* item_ = nullptr;

 private:
  friend ChannelGate;
  bool enter() noexcept final;
};

/// A receiver that has been served without an item has come to the end of a closed channel.
class ChannelReceiver : public ChannelPlace {
 public:
  ChannelReceiver(ChannelGate& gate, std::size_t most) noexcept : ChannelPlace(gate, false), most_(most) {}
  /// Gives back what it has.
  void declined() noexcept;

 protected:
  ChannelItems items_;  ///< at most `most_`

 private:
  friend ChannelGate;
  bool enter() noexcept final;
  const std::size_t most_;
};

/// Once it is closed, senders fail, waiting ones too, and receivers get what is left.
class ChannelGate : public ClosableQueue {
 public:
  static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

  explicit ChannelGate(std::size_t most) noexcept : capacity(most) {}

  /// As a sender that does not wait; false, and the caller keeps the item, where there is no room or the
  /// channel is closed.
  bool trySend(ChannelItem& item) noexcept;
  /// As a receiver that does not wait; null where there is nothing to receive. The caller owns the item.
  ChannelItem* tryReceive() noexcept;
  /// Items that were received and not used become the first ones again, in their order.
  void giveBack(ChannelItems items) noexcept;

  std::size_t size() noexcept;

  const std::size_t capacity;

 private:
  friend ChannelPlace;
  friend ChannelSender;
  friend ChannelReceiver;

  // Precondition of these: locked.
  bool puts(ChannelItem& item, ServedRuns& served) noexcept;
  ChannelItem* takes(ServedRuns& served) noexcept;
  /// The first waiter, taken out, if it is of this kind.
  template <class Place>
  Place* pop(bool sends) noexcept;

  ChannelItems items_;
};

}  // namespace tapestry::detail
