// Defines Dataset, the items of which batches are made.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapestry {

/// A value with size() items, of which get(index) makes one, for each index below the size. It is called by
/// several threads at once, and an exception of it fails the program that asked for the item.
template <class D>
concept Dataset = std::copy_constructible<D> && requires(const D& dataset, std::size_t index) {
  { dataset.size() } -> std::convertible_to<std::size_t>;
  { dataset.get(index) } -> std::move_constructible;
};

/// What get yields.
template <Dataset D>
using ItemOf = std::remove_cvref_t<decltype(std::declval<const D&>().get(std::size_t{}))>;

}  // namespace tapestry
