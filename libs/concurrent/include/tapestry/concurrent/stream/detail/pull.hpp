// Defines Chunk and Pull, by which the stages of a stream ask each other for items.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/continuation/delay.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry {

/// Items of a stream that its stages hand on together.
template <class A>
using Chunk = std::vector<A>;

/// Each run yields the next items of a stream for one consumer, at least one, or no items at the end. Runs
/// must follow one another, and none may follow the end or an error. They hold no resources.
template <class A>
using Pull = Do<Chunk<A>>;

namespace detail {

/// What a stage, `Stream::NAME`, is called and where.
using StageAt = extend::At;

/// How many items a source that has them at hand gives at a time: what fits into half a first-level cache.
template <class A>
inline constexpr std::size_t chunkSize = std::clamp<std::size_t>(16 * 1024 / sizeof(A), 16, 2048);

/// Yields the value, to the one run that it is made for.
template <class T>
Do<T> given(T value) {
  return Do<T>::delay([once = Once<T>(std::move(value))]() -> T { return once.take(); });
}

/// Fails with the error, which has passed its places before.
template <class T>
Do<T> failed(std::exception_ptr error) {
  using Acquired = typename Do<T>::Acquired;
  return Do<T>(UnitContinuation<Acquired>(tapestry::delay([error = std::move(error)] {
    return Acquired{Try<T>::failure(error), {}};
  })));
}

/// Each run asks a stage for its next items, by State::next(state).
template <class B, class State>
Pull<B> pulling(std::shared_ptr<State> state, StageAt at) {
  return Pull<B>::suspend([state = std::move(state)] { return State::next(state); }, at.location);
}

/// A chunk of one item.
template <class A>
Chunk<A> chunkOf(A item) {
  Chunk<A> chunk;
  chunk.push_back(std::move(item));
  return chunk;
}

}  // namespace detail
}  // namespace tapestry
