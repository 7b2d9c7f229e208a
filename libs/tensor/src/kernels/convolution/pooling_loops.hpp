// Defines PoolingLoops, the inner loops of poolings, for one element of a window that moves along a line.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// Loops over n places of a window for one element, which covers x[j * stride] at place j; compiled for each
/// instruction set.
template <class T>
struct PoolingLoops {
  /// most[j] becomes the larger of itself and x[j * stride], NaN if either is.
  void (*largest)(const T* x, std::size_t stride, std::size_t n, T* most);

  /// counts[j] grows by 1 where x[j * stride] is most[j].
  void (*count)(const T* x, std::size_t stride, std::size_t n, const T* most, T* counts);

  /// to[j * stride] grows by share[j] where x[j * stride] is most[j]. The elements between are read and
  /// written back unchanged.
  void (*spreadToLargest)(const T* x, std::size_t stride, std::size_t n, const T* most, const T* share,
                          T* to);

  /// sums[j] grows by x[j * stride].
  void (*add)(const T* x, std::size_t stride, std::size_t n, T* sums);
};

/// The loops for the best instruction set that this machine has.
template <class T>
const PoolingLoops<T>& poolingLoops();

}  // namespace tapestry::kernels
