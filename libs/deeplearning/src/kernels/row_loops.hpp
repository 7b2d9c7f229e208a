// Defines RowLoops, the inner loops that make one value of many.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// Loops over n contiguous values, compiled for each instruction set. Sums are pairwise.
template <class T>
struct RowLoops {
  T (*sum)(const T* x, std::size_t n);
  T (*dot)(const T* a, const T* b, std::size_t n);

  /// -inf for no values; any value if one of them is NaN.
  T (*maximum)(const T* x, std::size_t n);

  /// The sum of exp(x - shift); `exps` also stores the terms, where `out` may be `x`.
  T (*sumExp)(const T* x, std::size_t n, T shift);
  T (*exps)(const T* x, std::size_t n, T shift, T* out);
};

/// Those of the best instruction set that this machine has.
template <class T>
const RowLoops<T>& rowLoops();

}  // namespace tapestry::kernels
