// Defines gatherRows, exchangeRows and addRows, which copy and add rows anywhere in memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tapestry::kernels {

// A row has `width` contiguous values. Indices choose rows of a table, and are not negative.

/// out[i] = table[indices[i]]
template <class T>
void gatherRows(const T* table, const std::int64_t* indices, std::size_t n, std::size_t width,
                T* out) noexcept;

/// table[indices[i]] and rows[i] change places, in this order.
template <class T>
void exchangeRows(T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* rows) noexcept;

/// sums[places[i]] += rows[i], in this order.
template <class T>
void addRows(const T* const* rows, const std::size_t* places, std::size_t n, std::size_t width,
             T* sums) noexcept;

}  // namespace tapestry::kernels
