// Defines the stages that select a part of a stream: take, takeWhile, drop and dropWhile; and chunk, which
// groups its items.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "tapestry/concurrent/stream/detail/pull.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Moves the items from `begin` on, up to `end`, to the end of `to`.
template <class A>
void moveItems(Chunk<A>& from, std::size_t begin, std::size_t end, Chunk<A>& to) {
  if (begin == 0 && end == from.size() && to.empty()) {
    to = std::move(from);
    return;
  }
  to.reserve(to.size() + (end - begin));
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
