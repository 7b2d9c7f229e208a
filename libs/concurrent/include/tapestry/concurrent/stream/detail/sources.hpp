// Defines the sources of streams: ranges, steps of a state, and programs.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <span>  // the concepts of ranges, without the views
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/stream/detail/pull.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The items of a range that each consumer gets for itself.
template <class A, class R>
class RangeSource {
 public:
  explicit RangeSource(R range)
      : range_(std::move(range)), next_(std::ranges::begin(range_)), end_(std::ranges::end(range_)) {}

  void fill(Chunk<A>& items) {
    if constexpr (std::ranges::random_access_range<R> && std::sized_sentinel_for<End, Iterator> &&
                  std::is_trivially_default_constructible_v<A> && std::is_trivially_copyable_v<A> &&
                  std::copyable<A>) {
      const std::size_t count = std::min(chunkSize<A>, static_cast<std::size_t>(end_ - next_));
      items.reserve(count);
      while (items.size() != count) append(items, std::min(partSize, count - items.size()));
    } else {
      for (; items.size() != chunkSize<A> && next_ != end_; ++next_) items.push_back(static_cast<A>(*next_));
    }
  }

 private:
  using Iterator = std::ranges::iterator_t<R>;
  using End = std::ranges::sentinel_t<R>;
  using Distance = std::iter_difference_t<Iterator>;
  static constexpr std::size_t partSize = std::max<std::size_t>(2048 / sizeof(A), 1);

  /// Uses an array, because a vector that grows sets its new items to zero.
  void append(Chunk<A>& items, std::size_t count) {
    A part[partSize];
    std::size_t made = 0;
    try {
      for (; made != count; ++made) part[made] = static_cast<A>(next_[static_cast<Distance>(made)]);
    } catch (...) {
      items.insert(items.end(), part, part + made);
      throw;
    }
    items.insert(items.end(), part, part + count);
    next_ += static_cast<Distance>(count);
  }

  R range_;
  Iterator next_;
  End end_;
};

/// Pulls the items that the source appends by fill(items), none at the end. If fill throws, the items that it
/// has appended by then come first.
template <class A, class Source>
Pull<A> pullFrom(std::shared_ptr<Source> source, StageAt at) {
  struct State {
    std::shared_ptr<Source> source;
    std::exception_ptr failure = nullptr;
  };
  auto state = std::make_shared<State>(State{std::move(source)});
  return Pull<A>::delay(
      [state] {
        if (state->failure) std::rethrow_exception(std::exchange(state->failure, nullptr));
        Chunk<A> items;
        try {
          state->source->fill(items);
        } catch (...) {
          if (items.empty()) throw;
          state->failure = std::current_exception();
        }
        return items;
      },
      at.location);
}

/// Opens the range that make() returns for each consumer.
template <class A, class F>
Do<Pull<A>> ofRange(F make, StageAt at) {
  using R = std::remove_cvref_t<std::invoke_result_t<const F&>>;
  return Do<Pull<A>>::delay(
      [make = std::move(make), at] { return pullFrom<A>(std::make_shared<RangeSource<A, R>>(make()), at); },
      at.location);
}

/// The items that the function returns for a state, with the next state, until it returns none. The first
/// chunk is small, so that a consumer that takes few items costs few calls.
template <class A, class S, class F>
class UnfoldSource {
 public:
  UnfoldSource(S state, F step) : state_(std::move(state)), step_(std::move(step)) {}

  void fill(Chunk<A>& items) {
    most_ = std::min(2 * most_, chunkSize<A>);
    while (!ended_ && items.size() != most_) {
      std::optional<std::pair<A, S>> step = step_(std::as_const(state_));
      ended_ = !step;
      if (!step) break;
      items.push_back(std::move(step->first));
      state_ = std::move(step->second);
    }
  }

 private:
  S state_;
  F step_;
  std::size_t most_ = 4;
  bool ended_ = false;
};

/// Pulls one item.
template <class A>
Pull<A> pullOnce(A item, StageAt at) {
  auto items = std::make_shared<Chunk<A>>(chunkOf<A>(std::move(item)));
  return Pull<A>::delay([items] { return std::exchange(*items, {}); }, at.location);
}

/// The items of the programs step(state), which yield an item and the next state, until a program yields
/// nothing.
template <class A, class S, class F>
Do<Pull<A>> ofDoSteps(S state, F step, StageAt at) {
  return Do<Pull<A>>::delay(
      [state = std::move(state), step = std::move(step), at] {
        auto current = std::make_shared<S>(state);
        return Pull<A>::suspend(
            [current, step, at] {
              return step(std::as_const(*current))
                  .run()
                  .map(
                      [current](std::optional<std::pair<A, S>> made) {
                        if (!made) return Chunk<A>();
                        *current = std::move(made->second);
                        return chunkOf<A>(std::move(made->first));
                      },
                      at.location);
            },
            at.location);
      },
      at.location);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
