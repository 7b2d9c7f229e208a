// Defines the stages of a stream that treat each item by itself: map, filter and scan; the stages that select
// a part: take, takeWhile, drop and dropWhile; and chunk, which groups items.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

/// Moves the items from `begin` on, up to `end`, to the end of `to`.
template <class A>
void moveItems(Chunk<A>& from, std::size_t begin, std::size_t end, Chunk<A>& to) {
  if (begin == 0 && end == from.size() && to.empty()) {
    to = std::move(from);
    return;
  }
  if (to.empty()) to.reserve(end - begin);  // otherwise it grows geometrically
  for (std::size_t i = begin; i != end; ++i) to.push_back(static_cast<A>(std::move(from[i])));
}

template <class A>
struct TakeStage {
  using Item = A;

  bool apply(Chunk<A> from, Chunk<A>& to) {
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(left, from.size()));
    left -= taken;
    moveItems(from, 0, taken, to);
    return left != 0;
  }

  std::uint64_t left;
};

template <class A>
struct DropStage {
  using Item = A;

  bool apply(Chunk<A> from, Chunk<A>& to) {
    const auto dropped = static_cast<std::size_t>(std::min<std::uint64_t>(left, from.size()));
    left -= dropped;
    moveItems(from, dropped, from.size(), to);
    return true;
  }

  std::uint64_t left;
};

/// The items before the first item for which the predicate is false.
template <class A, class F>
struct TakeWhileStage {
  using Item = A;

  bool apply(Chunk<A> from, Chunk<A>& to) const {
    for (auto&& place : from) {
      A item = std::move(place);
      if (!predicate(std::as_const(item))) return false;
      to.push_back(std::move(item));
    }
    return true;
  }

  F predicate;
};

/// The items from the first item on for which the predicate is false.
template <class A, class F>
struct DropWhileStage {
  using Item = A;

  bool apply(Chunk<A> from, Chunk<A>& to) {
    std::size_t first = 0;
    while (dropping && first != from.size()) {
      const A& item = from[first];
      dropping = static_cast<bool>(predicate(item));
      if (dropping) ++first;
    }
    moveItems(from, first, from.size(), to);
    return true;
  }

  F predicate;
  bool dropping = true;
};

/// The items in groups of a size; the last one may be smaller.
template <class A>
struct ChunkStage {
  using Item = Chunk<A>;
  using EndsAtErrors = void;

  explicit ChunkStage(std::size_t sizeOfGroups) noexcept : size(sizeOfGroups) {}
  /// A stage is copied for a consumer before it has items, which may be of a kind that cannot be copied.
  ChunkStage(const ChunkStage& fresh) noexcept : size(fresh.size) {}
  ChunkStage& operator=(const ChunkStage&) = delete;

  bool apply(Chunk<A> from, Chunk<Chunk<A>>& to) {
    const std::size_t count = from.size();
    for (std::size_t next = 0; next != count;) {
      const std::size_t end = next + std::min(size - group.size(), count - next);
      moveItems(from, next, end, group);
      next = end;
      if (group.size() == size) to.push_back(std::exchange(group, {}));
    }
    return true;
  }
  void end(Chunk<Chunk<A>>& to) {
    if (!group.empty()) to.push_back(std::exchange(group, {}));
  }

  const std::size_t size;
  Chunk<A> group;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
