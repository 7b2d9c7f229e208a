// Defines Pack, values of several types: a tuple without constructors, which compilers read in less time.
#pragma once

#include <cstddef>
#include <utility>

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <std::size_t i, class T>
struct PackElement {
  [[no_unique_address]] T value;
};

template <class Indices, class... Ts>
struct PackOf;
template <std::size_t... i, class... Ts>
struct PackOf<std::index_sequence<i...>, Ts...> : PackElement<i, Ts>... {};

/// An aggregate: Pack<A, B>{{a}, {b}}.
template <class... Ts>
using Pack = PackOf<std::index_sequence_for<Ts...>, Ts...>;

/// The value at the index.
template <std::size_t i, class T>
constexpr T& valueAt(PackElement<i, T>& element) noexcept {
  return element.value;
}
template <std::size_t i, class T>
constexpr const T& valueAt(const PackElement<i, T>& element) noexcept {
  return element.value;
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
