#include "tapestry/concurrent/detail/broadcast_gate.hpp"

#include <algorithm>
#include <stdexcept>

#include "tapestry/concurrent/broadcast.hpp"
#include "tapestry/concurrent/detail/arguments.hpp"

namespace tapestry {

const char* TooSlow::what() const noexcept {
  return "tapestry::Subscription: more items were published than the capacity, which were not received";
}

namespace detail {

namespace {

std::exception_ptr receivedTwiceAtOnce() {
  return std::make_exception_ptr(std::logic_error(
      "tapestry::Subscription: two runs wait for its next item, expected one receive at a time"));
}

}  // namespace

BroadcastGate::BroadcastGate(std::ptrdiff_t capacity, SlowSubscribers slowOnes)
    : slow(slowOnes), ring_(atLeast(1, capacity, "Broadcast", "the capacity")) {}

void BroadcastGate::subscribe(BroadcastSubscriber& subscriber) noexcept {
  const SpinGuard guard(queue_.lock);
  subscriber.next = end_;
  ++subscribers_;
}

void BroadcastGate::unsubscribe(BroadcastSubscriber& subscriber) noexcept {
  WaitQueue::Waiter* ended = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    subscriber.subscribed = false;
    --subscribers_;
    for (auto at = std::max(subscriber.next, begin_); at != end_; ++at) --slot(at).unread;
    ended = takeReceives(subscriber);
  }
  wakeAll(ended);
  for (;;) {
    Ref<const Node> read;
    const SpinGuard guard(queue_.lock);
    if (!(read = popRead())) break;
  }
  servePublisher();
}

WaitQueue::Waiter* BroadcastGate::takeReceives(const BroadcastSubscriber& subscriber) noexcept {
  WaitQueue::Waiter* taken = nullptr;
  for (auto* at = subscriber.mayWait ? queue_.first() : nullptr; at;) {
    auto* const waiter = std::exchange(at, at->nextWaiter);
    if (!static_cast<BroadcastPlace*>(waiter)->receivesFor(subscriber)) continue;
    queue_.take(*waiter);
    waiter->nextWaiter = std::exchange(taken, waiter);
  }
  return taken;
}

void BroadcastGate::giveBack(BroadcastSubscriber& subscriber, Ref<const Node> item) noexcept {
  WaitQueue::Waiter* served = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    subscriber.returned.push_back(std::move(item));
    served = takeReceives(subscriber);
  }
  wakeAll(served);
}

Ref<const Node> BroadcastGate::receive(BroadcastSubscriber& subscriber, std::exception_ptr& error) {
  Ref<const Node> item, read;
  enum class Fault : unsigned char { none, closed, late, twice } fault = Fault::none;
  {
    const SpinGuard guard(queue_.lock);
    if (!subscriber.subscribed) {
      fault = Fault::closed;
    } else if (!subscriber.returned.empty()) {
      item = std::move(subscriber.returned.back());
      subscriber.returned.pop_back();
    } else if (subscriber.next < begin_ && slow == SlowSubscribers::fail) {
      fault = Fault::late;
    } else if (subscriber.next != end_) {
      subscriber.next = std::max(subscriber.next, begin_);
      Slot& next = slot(subscriber.next++);
      item = next.item;
      --next.unread;
      read = popRead();
    } else if (closed_) {
      error = error_;
    } else {
      fault = Fault::twice;
    }
  }
  if (fault == Fault::closed) error = std::make_exception_ptr(Closed());
  if (fault == Fault::late) error = std::make_exception_ptr(TooSlow());
  if (fault == Fault::twice) error = receivedTwiceAtOnce();
  if (read) servePublisher();
  return item;
}

Ref<const Node> BroadcastGate::push(Ref<const Node> item, WaitQueue::Waiter*& woken) noexcept {
  Ref<const Node> displaced;
  if (subscribers_ == 0) return displaced;
  if (end_ - begin_ == ring_.size()) displaced = std::move(slot(begin_++).item);
  Slot& last = slot(end_++);
  last.item = std::move(item);
  last.unread = subscribers_;
  woken = queue_.popAll();
  return displaced;
}

Ref<const Node> BroadcastGate::popRead() noexcept {
  if (begin_ == end_ || slot(begin_).unread != 0) return nullptr;
  return std::move(slot(begin_++).item);
}

bool BroadcastGate::tryPublish(const Ref<const Node>& item) noexcept {
  WaitQueue::Waiter* woken = nullptr;
  Ref<const Node> displaced;
  {
    const SpinGuard guard(queue_.lock);
    if (closed_ || publisher_ || !hasRoom()) return false;
    displaced = push(item, woken);
  }
  wakeAll(woken);
  return true;
}

std::size_t BroadcastGate::subscribers() noexcept {
  const SpinGuard guard(queue_.lock);
  return subscribers_;
}

/// A run that publishes, as soon as there is room.
class PublishPlace : public BroadcastPlace {
 public:
  struct Request {
    Ref<BroadcastGate> gate;
    Ref<const Node> item;
  };
  explicit PublishPlace(const Request& request) noexcept
      : BroadcastPlace(*request.gate, nullptr), item_(request.item) {}
  PublishPlace(const PublishPlace&) = delete;
  PublishPlace& operator=(const PublishPlace&) = delete;
  ~PublishPlace() {
    const SpinGuard guard(gate_.queue_.lock);
    if (gate_.publisher_ == this) gate_.publisher_ = nullptr;
  }

  extend::Acquired<void> served() {
    wakeAll(std::exchange(woken_, nullptr));
    if (published_) return {Try<void>::success(Unit{}), {}};
    return {Try<void>::failure(gate_.error()), {}};
  }

 private:
  friend BroadcastGate;
  bool enter() noexcept final {
    if (gate_.closed_) return true;
    if (!gate_.hasRoom()) {
      gate_.publisher_ = this;
      return false;
    }
    displaced_ = gate_.push(item_, woken_);
    published_ = true;
    return true;
  }

  const Ref<const Node>& item_;
  Ref<const Node> displaced_;
  WaitQueue::Waiter* woken_ = nullptr;
  bool published_ = false;
};

void BroadcastGate::servePublisher() noexcept {
  WaitQueue::Waiter* woken = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    if (!publisher_ || !hasRoom()) return;
    auto* waiter = queue_.first();
    while (waiter && waiter != publisher_) waiter = waiter->nextWaiter;
    if (!waiter) return;  // it is about to wait, or not to: it has seen, or will see, that there is room
    auto& publisher = *std::exchange(publisher_, nullptr);
    queue_.take(publisher);
    publisher.published_ = true;
    publisher.displaced_ = push(publisher.item_, woken);
    publisher.nextWaiter = woken;
    woken = waiter;
  }
  wakeAll(woken);
}

Do<void> publishing(Ref<BroadcastGate> gate, Ref<const Node> item, Location location) {
  const auto turn = gate->turn;
  const bool mayWait = gate->slow == SlowSubscribers::block;
  auto publish =
      extend::waitFor<void, PublishPlace>({std::move(gate), std::move(item)}, "Broadcast::publish", location);
  if (!mayWait) return publish;
  return take(turn, "Broadcast::publish", location)
      .flatMap([publish = std::move(publish)] { return publish; })
      .run();
}

}  // namespace detail

}  // namespace tapestry
