// Defines Chunk and Pull, with which the stages of a stream request items from each other.
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

#pragma GCC visibility push(default)
namespace tapestry {

/// Items of a stream that its stages pass on together.
template <class A>
using Chunk = std::vector<A>;

/// Each run yields the next items of a stream for one consumer, at least one, or no items at the end. Runs
/// must follow one another, and none may follow the end or an error. They hold no resources.
template <class A>
using Pull = Do<Chunk<A>>;

namespace detail {

/// The name of a stage, `Stream::NAME`, and the place of its call.
using StageAt = extend::At;

/// The number of items that a source yields at a time, if it has them already: as many as fit into half a
/// first-level cache, but 16 to 2,048.
template <class A>
inline constexpr std::size_t chunkSize = std::clamp<std::size_t>(16 * 1024 / sizeof(A), 16, 2048);

/// Whether the function makes a program that yields a value, the item of a stream, for each A.
template <class F, class A>
concept MakesItems = isMadeDo<F, A> && (!std::is_void_v<typename MadeDo<F, A>::ValueType>);

/// Yields the value; for one run only.
template <class T>
Do<T> given(T value) {
  return Do<T>::delay([once = Once<T>(std::move(value))]() -> T { return once.take(); });
}

/// Fails with the error, whose trace has its places already.
template <class T>
Do<T> failed(std::exception_ptr error) {
  using Acquired = typename Do<T>::Acquired;
  return Do<T>(tapestry::delay([error = std::move(error)] { return Acquired{Try<T>::failure(error), {}}; }));
}

/// Each run requests the next items of a stage, by State::next(state).
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
#pragma GCC visibility pop
