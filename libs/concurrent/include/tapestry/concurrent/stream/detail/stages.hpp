// Defines the stages of a stream that treat each item by itself: map, filter and scan.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/stream/detail/pull.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A, class B, class F>
struct MapStage {
  using Item = B;

  bool apply(Chunk<A> from, Chunk<B>& to) const {
    if constexpr (std::is_same_v<A, B> && std::is_trivially_copyable_v<A> && std::is_move_assignable_v<A> &&
                  !std::is_same_v<A, bool>) {
      to = std::move(from);
      auto item = to.begin();
      try {
        for (; item != to.end(); ++item) *item = function(static_cast<A>(std::move(*item)));
      } catch (...) {
        to.erase(item, to.end());
        throw;
      }
    } else {
      to.reserve(from.size());
      for (auto&& item : from) to.push_back(function(static_cast<A>(std::move(item))));
    }
    return true;
  }

  F function;
};

/// Keeps the items for which the predicate is true.
template <class A, class F>
struct FilterStage {
  using Item = A;

  bool apply(Chunk<A> from, Chunk<A>& to) const {
    if constexpr (std::is_move_assignable_v<A>)
      keepInPlace(to = std::move(from));
    else
      for (A& item : from)
        if (predicate(std::as_const(item))) to.push_back(std::move(item));
    return true;
  }

  void keepInPlace(Chunk<A>& to) const {
    std::size_t kept = 0;
    std::size_t next = 0;
    try {
      for (; next != to.size(); ++next) {
        if constexpr (std::is_trivially_copyable_v<A> && std::copyable<A>) {
          const A item = to[next];  // without a branch, which may be mispredicted
          to[kept] = item;
          kept += static_cast<bool>(predicate(item)) ? 1 : 0;
        } else if (predicate(std::as_const(to[next]))) {
          if (kept != next) to[kept] = std::move(to[next]);
          ++kept;
        }
      }
    } catch (...) {
      to.erase(to.begin() + static_cast<std::ptrdiff_t>(kept), to.end());
      throw;
    }
    to.erase(to.begin() + static_cast<std::ptrdiff_t>(kept), to.end());
  }

  F predicate;
};

/// Each state that the function returns for the state before and an item.
template <class A, class S, class F>
struct ScanStage {
  using Item = S;

  bool apply(Chunk<A> from, Chunk<S>& to) {
    to.reserve(from.size());
    for (auto&& item : from) {
      state = function(std::move(state), static_cast<A>(std::move(item)));
      to.push_back(state);
    }
    return true;
  }

  S state;
  F function;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
