// Defines Dataset, the source of the items of batches.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)
namespace tapestry {

/// A value with size() items; get(index) makes the item at each index below the size. Several threads call
/// get at once, and an exception from it fails the program that requested the item.
template <class D>
concept Dataset = std::copy_constructible<D> && requires(const D& dataset, std::size_t index) {
  { dataset.size() } -> std::convertible_to<std::size_t>;
  { dataset.get(index) } -> std::move_constructible;
};

/// The type of the items that get makes.
template <Dataset D>
using ItemOf = std::remove_cvref_t<decltype(std::declval<const D&>().get(std::size_t{}))>;

}  // namespace tapestry
#pragma GCC visibility pop
