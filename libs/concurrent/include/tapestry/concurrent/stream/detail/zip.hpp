// Defines the stages of two streams that take from both in step: zip and interleave.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "tapestry/concurrent/stream/detail/items.hpp"
#include "tapestry/raii/do_tuple2.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The items of two streams.
template <class A, class B>
struct BothItems {
  BothItems(const Pull<A>& first, const Pull<B>& second, StageAt at) : a(first, at), b(second, at) {}

  Items<A> a;
  Items<B> b;
  bool isTurnOfB = false;
};

/// Asks the other stream to stop when one stream has ended.
struct OneHasEnded {};

/// The errors of both streams, without OneHasEnded; null if that is all.
std::exception_ptr withoutEnd(const std::exception_ptr& error);

/// Opens both streams, and pulls the items that make(both, items) appends.
template <class C, class A, class B, class F>
Do<Pull<C>> ofBoth(const Do<Pull<A>>& first, const Do<Pull<B>>& second, F make, StageAt at) {
  return first.flatMap(
      [second, make, at](const Pull<A>& a) {
        return second.map(
            [a, make, at](const Pull<B>& b) {
              auto both = std::make_shared<BothItems<A, B>>(a, b, at);
              return Pull<C>::suspend(
                  [both, make, at] {
                    return make.ready(*both).map(
                        [both, make](bool ready) {
                          Chunk<C> made;
                          if (ready) make(*both, made);
                          return made;
                        },
                        at.location);
                  },
                  at.location);
            },
            at.location);
      },
      at.location);
}

/// Pairs of items, until either stream ends. If no item of either has arrived, both are asked in parallel.
struct ZipItems {
  /// Yields whether both have items.
  template <class A, class B>
  static Do<bool> ready(BothItems<A, B>& both) {
    if (both.a.hasNext() || both.a.hasEnded())
      return both.a.hasNext() ? both.b.ready() : Do<bool>::now(false);
    if (both.b.hasNext() || both.b.hasEnded())
      return both.b.hasNext() ? both.a.ready() : Do<bool>::now(false);
    return tapestry::tuple2(tapestry::parallel(unlessEnded(both.a)), tapestry::parallel(unlessEnded(both.b)))
        .map([](const auto&) { return true; })
        .handleError([](const std::exception_ptr& error) {
          const std::exception_ptr others = withoutEnd(error);
          return others ? failed<bool>(others) : Do<bool>::now(false);
        });
  }

  template <class A, class B>
  void operator()(BothItems<A, B>& both, Chunk<std::pair<A, B>>& to) const {
    const std::size_t count = std::min(both.a.size(), both.b.size());
    to.reserve(count);
    for (std::size_t i = 0; i != count; ++i) {
      A first = both.a.take();
      to.emplace_back(std::move(first), both.b.take());
    }
  }

 private:
  template <class A>
  static Do<void> unlessEnded(Items<A>& items) {
    return items.ready().map([](bool ready) {
      if (!ready) throw OneHasEnded();
    });
  }
};

/// Items of both streams in turn, until the stream whose turn it is has ended.
struct InterleaveItems {
  /// Yields whether the stream whose turn it is has an item.
  template <class A>
  static Do<bool> ready(BothItems<A, A>& both) {
    return next(both).ready();
  }

  template <class A>
  void operator()(BothItems<A, A>& both, Chunk<A>& to) const {
    to.reserve(2 * std::min(both.a.size(), both.b.size()) + 1);
    for (; next(both).hasNext(); both.isTurnOfB = !both.isTurnOfB) to.push_back(next(both).take());
  }

 private:
  template <class A>
  static Items<A>& next(BothItems<A, A>& both) {
    return both.isTurnOfB ? both.b : both.a;
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
