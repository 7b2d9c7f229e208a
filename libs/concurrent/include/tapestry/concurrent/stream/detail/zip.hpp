// Defines the stages of two streams that take from both in step: zip and interleave.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "tapestry/concurrent/stream/detail/items.hpp"
#include "tapestry/raii/do_tuple2.hpp"

namespace tapestry::detail {

/// Two streams; if neither has an item at hand, both are asked in parallel.
template <class A, class B>
struct BothItems {
  using Self = std::shared_ptr<BothItems>;

  BothItems(const Pull<A>& first, const Pull<B>& second, StageAt at) : a(first, at), b(second, at) {}

  /// Yields whether both have items.
  Do<bool> ready() {
    if (a.atHand() || a.hasEnded()) return a.atHand() ? b.ready() : Do<bool>::now(false);
    if (b.atHand() || b.hasEnded()) return b.atHand() ? a.ready() : Do<bool>::now(false);
    return tuple2(parallel(a.ready()), parallel(b.ready())).map([](const auto& both) {
      return std::get<0>(both) && std::get<1>(both);
    });
  }

  Items<A> a;
  Items<B> b;
};

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
                    return both->ready().map(
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

/// Pairs of items, until either stream ends.
struct ZipItems {
  template <class A, class B>
  void operator()(BothItems<A, B>& both, Chunk<std::pair<A, B>>& to) const {
    const std::size_t count = std::min(both.a.size(), both.b.size());
    to.reserve(count);
    for (std::size_t i = 0; i != count; ++i) {
      A first = both.a.take();
      to.emplace_back(std::move(first), both.b.take());
    }
  }
};

/// Items of both streams in turn, until either ends.
struct InterleaveItems {
  template <class A>
  void operator()(BothItems<A, A>& both, Chunk<A>& to) const {
    const std::size_t count = std::min(both.a.size(), both.b.size());
    to.reserve(2 * count);
    for (std::size_t i = 0; i != count; ++i) {
      to.push_back(both.a.take());
      to.push_back(both.b.take());
    }
  }
};

}  // namespace tapestry::detail
