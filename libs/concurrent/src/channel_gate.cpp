#include "tapestry/concurrent/detail/channel_gate.hpp"

#include <utility>

namespace tapestry::detail {

ChannelItems::ChannelItems(ChannelItems&& other) noexcept
    : first_(std::exchange(other.first_, nullptr)),
      last_(std::exchange(other.last_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

ChannelItems::~ChannelItems() {
  while (const ChannelItem* item = popFront()) delete item;
}

void ChannelItems::pushBack(ChannelItem& item) noexcept {
  item.next = nullptr;
  (last_ ? last_->next : first_) = &item;
  last_ = &item;
  ++size_;
}

void ChannelItems::pushFront(ChannelItem& item) noexcept {
  item.next = first_;
  first_ = &item;
  if (!last_) last_ = &item;
  ++size_;
}

ChannelItem* ChannelItems::popFront() noexcept {
  ChannelItem* const item = first_;
  if (!item) return nullptr;
  first_ = item->next;
  if (!first_) last_ = nullptr;
  --size_;
  return item;
}

ChannelPlace::ChannelPlace(ChannelGate& gate, bool isSender) noexcept
    : Waiter(gate.queue_), gate_(gate), sends_(isSender) {}

bool ChannelSender::enter() noexcept {
  if (!item_ || gate_.closed_) return true;
  if (!gate_.puts(*item_, served_)) return false;
  item_ = nullptr;
  return true;
}

bool ChannelReceiver::enter() noexcept {
  while (items_.size() < most_) {
    ChannelItem* const item = gate_.takes(served_);
    if (!item) break;
    items_.pushBack(*item);
  }
  return items_.size() > 0 || gate_.closed_;
}

void ChannelReceiver::declined() noexcept { gate_.giveBack(std::move(items_)); }

template <class Place>
Place* ChannelGate::pop(bool sends) noexcept {
  auto* const first = static_cast<ChannelPlace*>(queue_.first());
  return first && first->sends_ == sends ? static_cast<Place*>(queue_.pop()) : nullptr;
}

bool ChannelGate::puts(ChannelItem& item, ServedRuns& served) noexcept {
  if (auto* const receiver = pop<ChannelReceiver>(false)) {
    receiver->items_.pushBack(item);
    served.add(*receiver);
    return true;
  }
  if (items_.size() >= capacity) return false;
  items_.pushBack(item);
  return true;
}

ChannelItem* ChannelGate::takes(ServedRuns& served) noexcept {
  ChannelItem* item = items_.popFront();
  if (item && items_.size() >= capacity) return item;  // items that were given back may exceed the capacity
  if (auto* const sender = pop<ChannelSender>(true)) {
    ChannelItem* const sent = std::exchange(sender->item_, nullptr);
    served.add(*sender);
    if (!item) return sent;
    items_.pushBack(*sent);
  }
  return item;
}

bool ChannelGate::trySend(ChannelItem& item) noexcept {
  ServedRuns served;
  {
    const SpinGuard guard(queue_.lock);
    if (closed_ || !puts(item, served)) return false;
  }
  served.wake();
  return true;
}

ChannelItem* ChannelGate::tryReceive() noexcept {
  ServedRuns served;
  ChannelItem* item = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    item = takes(served);
  }
  served.wake();
  return item;
}

void ChannelGate::giveBack(ChannelItems items) noexcept {
  ServedRuns served;
  {
    const SpinGuard guard(queue_.lock);
    while (auto* const receiver = items.size() > 0 ? pop<ChannelReceiver>(false) : nullptr) {
      receiver->items_.pushBack(*items.popFront());
      served.add(*receiver);
    }
    ChannelItems reversed;
    while (ChannelItem* const item = items.popFront()) reversed.pushFront(*item);
    while (ChannelItem* const item = reversed.popFront()) items_.pushFront(*item);
  }
  served.wake();
}

std::size_t ChannelGate::size() noexcept {
  const SpinGuard guard(queue_.lock);
  return items_.size();
}

}  // namespace tapestry::detail
