// Defines mapParts, for data and deltas that are tuples, pairs, arrays or vectors of others.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class T>
inline constexpr bool isTuple = false;
template <class... A>
inline constexpr bool isTuple<std::tuple<A...>> = true;
template <class A, class B>
inline constexpr bool isTuple<std::pair<A, B>> = true;
template <class A, std::size_t n>
inline constexpr bool isTuple<std::array<A, n>> = true;

template <class T>
inline constexpr bool isVector = false;
template <class A>
inline constexpr bool isVector<std::vector<A>> = true;

template <class T>
inline constexpr bool hasParts = isTuple<T> || isVector<T>;

/// Throws std::invalid_argument for vectors of different lengths.
template <class Parts>
void requireLength([[maybe_unused]] const char* operation, [[maybe_unused]] const Parts& parts,
                   [[maybe_unused]] std::size_t length) {
  if constexpr (isVector<Parts>) {
    if (parts.size() != length)
      throw std::invalid_argument("tapestry::" + std::string(operation) + ": the length differs, got " +
                                  std::to_string(parts.size()) + ", expected " + std::to_string(length));
  }
}

template <class Parts>
std::size_t lengthOf(const Parts& parts) noexcept {
  if constexpr (isVector<Parts>)
    return parts.size();
  else
    return std::tuple_size_v<Parts>;
}

// mapParts returns f(part) for each part, in the same structure. f takes the part by value.

template <class... A, class F>
auto mapParts(std::tuple<A...> parts, const F& f) {
  using Result = std::tuple<std::invoke_result_t<const F&, A>...>;
  return std::apply([&](A&... part) { return Result{f(std::move(part))...}; }, parts);
}

template <class A, class B, class F>
auto mapParts(std::pair<A, B> parts, const F& f) {
  using Result = std::pair<std::invoke_result_t<const F&, A>, std::invoke_result_t<const F&, B>>;
  return Result{f(std::move(parts.first)), f(std::move(parts.second))};
}

template <class A, std::size_t n, class F>
auto mapParts(std::array<A, n> parts, const F& f) {
  using Result = std::array<std::invoke_result_t<const F&, A>, n>;
  return std::apply([&](auto&... part) { return Result{f(std::move(part))...}; }, parts);
}

template <class A, class F>
auto mapParts(std::vector<A> parts, const F& f) {
  std::vector<std::invoke_result_t<const F&, A>> result;
  result.reserve(parts.size());
  for (A& part : parts) result.push_back(f(std::move(part)));
  return result;
}

/// Calls f(part of a, part of b) for each part. Precondition: both have the same number of parts.
template <class P, class F>
void zipParts(P& a, P& b, const F& f) {
  if constexpr (isVector<P>) {
    for (std::size_t i = 0; i < a.size(); ++i) f(a[i], b[i]);
  } else {
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (..., f(std::get<i>(a), std::get<i>(b)));
    }(std::make_index_sequence<std::tuple_size_v<P>>());
  }
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
