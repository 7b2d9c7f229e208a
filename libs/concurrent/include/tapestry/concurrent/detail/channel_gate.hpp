// Defines ChannelGate, the queue of a channel of any item type and the order in which runs send and receive.
#pragma once

#include <cstddef>
#include <limits>
#include <utility>

#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/concurrent/detail/closable_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// An item in transit; its owner is a sender, the gate or a receiver.
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
  /// Null if there are none. The caller owns the item.
  ChannelItem* popFront() noexcept;

 private:
  ChannelItem* first_ = nullptr;
  ChannelItem* last_ = nullptr;
  std::size_t size_ = 0;
};

/// Runs that others have served, to be woken in order after the lock has been released.
class ServedRuns {
 public:
  ServedRuns() noexcept = default;
  ServedRuns(const ServedRuns&) = delete;
  ServedRuns& operator=(const ServedRuns&) = delete;

  /// For a waiter that was popped.
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

/// One run that sends or receives. All waiting runs are of one kind: receivers wait if there is no item,
/// senders if there is no room.
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

/// A sender owns its item until the gate or a receiver has taken it. Without an item it need not wait.
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

/// A receiver that has been served without an item has reached the end of a closed channel.
class ChannelReceiver : public ChannelPlace {
 public:
  ChannelReceiver(ChannelGate& gate, std::size_t most) noexcept : ChannelPlace(gate, false), most_(most) {}
  /// Gives its items back.
  void declined() noexcept;

 protected:
  ChannelItems items_;  ///< at most `most_`

 private:
  friend ChannelGate;
  bool enter() noexcept final;
  const std::size_t most_;
};

/// Once it is closed, senders fail, including waiting senders, and receivers get the remaining items.
class ChannelGate : public ClosableQueue {
 public:
  static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

  explicit ChannelGate(std::size_t most) noexcept : capacity(most) {}

  /// As a sender that does not wait; false, and the caller keeps the item, if there is no room or the channel
  /// is closed.
  bool trySend(ChannelItem& item) noexcept;
  /// As a receiver that does not wait; null if there is nothing to receive. The caller owns the item.
  ChannelItem* tryReceive() noexcept;
  /// Gives received items that were not used to waiting receivers, or puts them back at the front, in their
  /// order.
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
  /// Pops the first waiter if it is of the given kind, else returns null.
  template <class Place>
  Place* pop(bool sends) noexcept;

  ChannelItems items_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
