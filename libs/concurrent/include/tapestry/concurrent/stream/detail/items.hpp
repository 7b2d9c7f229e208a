// Defines Items, with which a stage takes the items of a stream one at a time.
#pragma once

#include <cstddef>
#include <utility>

#include "tapestry/concurrent/stream/detail/pull.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// For one run at a time.
template <class A>
class Items {
 public:
  Items(Pull<A> from, StageAt at) : from_(std::move(from)), at_(at) {}

  /// Yields whether there is an item, and requests more if all have been taken. This must outlive its runs.
  Do<bool> ready() {
    if (hasNext() || ended_) return Do<bool>::now(hasNext());
    return from_.map(
        [this](Chunk<A> items) {
          ended_ = items.empty();
          items_ = std::move(items);
          next_ = 0;
          return !ended_;
        },
        at_.location);
  }

  bool hasNext() const noexcept { return next_ != items_.size(); }
  /// The next item. Precondition: hasNext().
  A take() { return static_cast<A>(std::move(items_[next_++])); }
  /// The last of the items that have arrived; the others are destroyed. Precondition: hasNext().
  A takeLast() {
    A last = static_cast<A>(std::move(items_.back()));
    items_.clear();
    next_ = 0;
    return last;
  }
  std::size_t size() const noexcept { return items_.size() - next_; }
  bool hasEnded() const noexcept { return ended_; }

 private:
  Pull<A> from_;
  StageAt at_;
  Chunk<A> items_;
  std::size_t next_ = 0;
  bool ended_ = false;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
