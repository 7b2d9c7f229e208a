// Defines Awaitable, the types that a block of direct style can await, and Await and ToProgram, which await
// them.
#pragma once

#include <concepts>
#include <tuple>
#include <utility>

#include "tapestry/continuation/detail/stoppable_block.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Awaits a program P in a block. To be specialised for each kind of programs.
template <class P>
struct Await;

template <Program P>
struct Await<P> {
  /// The part of the block that `value` needs. Throws std::logic_error if the block cannot await a P.
  static StoppableBlock& scope(StoppableBlock& block) noexcept { return block; }
  /// The program that is run.
  static const P& program(const P& program) noexcept { return program; }
  /// The value of the await at the location, made from take(), which returns the value of the executed
  /// program.
  template <class Take>
  static typename P::ValueType value(StoppableBlock&, const Take& take, const Location&) {
    if constexpr (std::is_void_v<typename P::ValueType>)
      take();
    else
      return take();
  }
};

template <class P>
concept AwaitedItself = requires(const P& program) { Await<P>::program(program); };

/// ToProgram<T>::of(x, location) is the program that is awaited in place of x at the location.
template <class T>
struct ToProgram;

template <class T>
concept Awaitable = requires(const T& x) { ToProgram<T>::of(x, Location()); };

/// The type of this program.
template <Awaitable T>
using AwaitedProgram = std::remove_cvref_t<decltype(ToProgram<T>::of(std::declval<const T&>(), Location()))>;

template <AwaitedItself P>
struct ToProgram<P> {
  static const P& of(const P& program, const Location&) noexcept { return program; }
};

template <class T>
  requires(!AwaitedItself<T>) && requires(const T& x) { toProgram(x); }
struct ToProgram<T> {
  static auto of(const T& x, const Location&) { return toProgram(x); }
};

/// Whether each await of a T can have the program for itself: a program that cannot be copied is not a part.
template <class T>
concept AwaitablePart =
    Awaitable<T> && requires(const T& x) { AwaitedProgram<T>(ToProgram<T>::of(x, Location())); };

template <AwaitablePart... Ts>
  requires(sizeof...(Ts) > 0)
struct ToProgram<std::tuple<Ts...>> {
  static auto of(const std::tuple<Ts...>& parts, const Location& location) {
    return std::apply(
        [&location](const Ts&... part) {
          return tupleN(parallel(ToProgram<Ts>::of(part, location), location)...);
        },
        parts);
  }
};

template <AwaitablePart A, AwaitablePart B>
struct ToProgram<std::pair<A, B>> {
  static auto of(const std::pair<A, B>& parts, const Location& location) {
    return ToProgram<std::tuple<A, B>>::of(std::tuple<A, B>(parts), location).map([](auto values) {
      return std::make_from_tuple<PairOf<decltype(values)>>(std::move(values));
    });
  }

 private:
  template <class Tuple>
  using PairOf = std::pair<std::tuple_element_t<0, Tuple>, std::tuple_element_t<1, Tuple>>;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
