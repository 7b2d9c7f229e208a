// Defines TableLoops, the inner loops over rows anywhere in memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tapestry::kernels {

/// Loops over n rows of `width` contiguous values, compiled for each instruction set. Indices choose rows of
/// a table, and are not negative.
template <class T>
struct TableLoops {
  /// out[i] = table[indices[i]]
  void (*gather)(const T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* out);

  /// table[indices[i]] and rows[i] change places, in this order.
  void (*exchange)(T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* rows);

  /// sums[places[i]] += rows[i], in this order.
  void (*add)(const T* const* rows, const std::size_t* places, std::size_t n, std::size_t width, T* sums);
};

/// The loops for the best instruction set that this machine has.
template <class T>
const TableLoops<T>& tableLoops();

}  // namespace tapestry::kernels
