// Defines RowLoops, the inner loops that make one value of many.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tapestry::kernels {

/// Loops over n contiguous values, compiled for each instruction set. Sums are pairwise.
template <class T>
struct RowLoops {
  T (*sum)(const T* x, std::size_t n);
  void (*sums)(const T* x, std::size_t rows, std::size_t n, T* out);  ///< of each row
  T (*dot)(const T* a, const T* b, std::size_t n);
  T (*magnitude)(const T* x, std::size_t n);  ///< the largest absolute value, NaN if there is one

  /// What is taken from a row before its exponentials: the largest value, so that none overflows; 0 where
  /// that is not finite, so that no inf is subtracted from itself. Any value if one of x is NaN.
  T (*shift)(const T* x, std::size_t n);

  /// The sum of exp(x - shift); `exps` also stores the terms, where `out` may be `x`.
  T (*sumExp)(const T* x, std::size_t n, T shift);
  T (*exps)(const T* x, std::size_t n, T shift, T* out);

  /// Of each row of logits: log(sum exp(row)) - row[label], and its derivative times delta, softmax(row) -
  /// oneHot(label). Precondition: labels are less than n.
  void (*crossEntropy)(const T* logits, std::size_t rows, std::size_t n, const std::uint32_t* labels, T* out);
  void (*crossEntropyDerivative)(const T* delta, const T* logits, std::size_t rows, std::size_t n,
                                 const std::uint32_t* labels, T* out);
};

/// What the exponentials of a row are multiplied by, whose sum is the total: NaN, for the whole row, where
/// the total is infinite, which it is for a logit of inf alone.
template <class T>
T weightOf(T factor, T total) noexcept {
  return std::isinf(total) ? total - total : factor / total;
}

/// Those of the best instruction set that this machine has.
template <class T>
const RowLoops<T>& rowLoops();

}  // namespace tapestry::kernels
