// Defines BroadcastGate, the items that subscribers have yet to receive, and BroadcastSubscriber.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include "tapestry/concurrent/detail/closable_queue.hpp"
#include "tapestry/raii/extend/returning_release.hpp"
#include "tapestry/raii/semaphore.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The effect of a new item on a subscriber that already has `capacity` items to receive: the publisher
/// waits; or the subscriber loses the oldest item; or the subscriber fails with TooSlow.
enum class SlowSubscribers : unsigned char { block, dropOldest, fail };

namespace detail {

class BroadcastGate;
class PublishPlace;

/// Guarded by the lock of the gate. As a program, this is the release of an item that was received.
struct BroadcastSubscriber : extend::ReturningRelease {
  explicit BroadcastSubscriber(Ref<BroadcastGate> broadcast) noexcept : gate(std::move(broadcast)) {}

  const Ref<BroadcastGate> gate;
  std::uint64_t next = 0;  ///< the number of the item that it receives next
  /// Items that were given back because no function has got them. They are received first, the last one
  /// before the others.
  std::vector<Ref<const Node>> returned;
  bool subscribed = true;
  bool mayWait = false;  ///< the last receive that has come found no item
};

/// A run that waits, as a publisher for room or as a subscriber for an item.
class BroadcastPlace : public Waiter {
 public:
  /// `subscriber` is null for a publisher.
  BroadcastPlace(BroadcastGate& gate, BroadcastSubscriber* subscriber) noexcept;

  bool receivesFor(const BroadcastSubscriber& subscriber) const noexcept {
    return subscriber_ == &subscriber;
  }

 protected:
  BroadcastGate& gate_;
  BroadcastSubscriber* const subscriber_;
};

/// Keeps each item until all subscribers that had subscribed when it came have received it, or until a newer
/// item displaces it.
class BroadcastGate final : public Node, public ClosableQueue {
 public:
  BroadcastGate(std::ptrdiff_t capacity, SlowSubscribers slow);

  void subscribe(BroadcastSubscriber& subscriber) noexcept;
  void unsubscribe(BroadcastSubscriber& subscriber) noexcept;

  /// Returns an item, or sets the error; neither at the end of a broadcast that was closed without an error.
  Ref<const Node> receive(BroadcastSubscriber& subscriber, std::exception_ptr& error);

  /// Makes the item the next item of the subscriber again.
  void giveBack(BroadcastSubscriber& subscriber, Ref<const Node> item) noexcept;

  /// Publishes at once; false if there is no room, or the broadcast is closed.
  bool tryPublish(const Ref<const Node>& item) noexcept;
  std::size_t subscribers() noexcept;

  /// The turn of the publishers: one publisher at a time waits for room.
  const PermitRequest turn{makeRef<Permits>(1), 1};
  const SlowSubscribers slow;

 private:
  friend BroadcastPlace;
  friend PublishPlace;
  friend class BroadcastReceiver;

  struct Slot {
    Ref<const Node> item;
    std::size_t unread = 0;  ///< the number of subscribers to receive it
  };

  // preconditions: locked
  Slot& slot(std::uint64_t number) noexcept { return ring_[number % ring_.size()]; }
  bool hasRoom() const noexcept { return slow != SlowSubscribers::block || end_ - begin_ < ring_.size(); }
  bool hasNews(const BroadcastSubscriber& subscriber) const noexcept {
    return subscriber.next != end_ || !subscriber.returned.empty() || closed_ || !subscriber.subscribed;
  }
  /// Returns the displaced item; `woken` gets the runs that wait for items. Precondition: there is room.
  Ref<const Node> push(Ref<const Node> item, WaitQueue::Waiter*& woken) noexcept;
  /// Removes and returns the oldest item, if all subscribers have received it.
  Ref<const Node> popRead() noexcept;

  /// Takes the waiting receives of the subscriber out of the queue.
  WaitQueue::Waiter* takeReceives(const BroadcastSubscriber& subscriber) noexcept;

  /// Publishes for the waiting publisher, if there is one, and room.
  void servePublisher() noexcept;

  // guarded by the queue's lock
  std::vector<Slot> ring_;
  std::uint64_t begin_ = 0, end_ = 0;  ///< the numbers of the items that are kept
  std::size_t subscribers_ = 0;
  PublishPlace* publisher_ = nullptr;  ///< a publisher that has found no room
};

inline BroadcastPlace::BroadcastPlace(BroadcastGate& gate, BroadcastSubscriber* subscriber) noexcept
    : Waiter(gate.queue_), gate_(gate), subscriber_(subscriber) {}

/// A subscriber that waits for an item, and receives it when its run continues.
class BroadcastReceiver : public BroadcastPlace {
 public:
  using Request = Ref<BroadcastSubscriber>;
  explicit BroadcastReceiver(const Request& subscriber) noexcept
      : BroadcastPlace(*subscriber->gate, subscriber.get()) {}

 protected:
  Ref<const Node> receive(std::exception_ptr& error) { return gate_.receive(*subscriber_, error); }

 private:
  bool enter() noexcept final {
    subscriber_->mayWait = !gate_.hasNews(*subscriber_);
    return !subscriber_->mayWait;
  }
};

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
