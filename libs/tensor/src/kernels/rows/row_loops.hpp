// Defines RowLoops, the inner loops that reduce many values to one.
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

  /// The value that is subtracted from a row before its exponentials: the largest, so that no exponential
  /// overflows, or 0 if that is not finite, so that inf is not subtracted from itself. Any value if x has a
  /// NaN.
  T (*shift)(const T* x, std::size_t n);

  /// Stores exp(x - shift), where `out` may be `x`, and returns the sum.
  T (*exps)(const T* x, std::size_t n, T shift, T* out);

  /// For each row of logits: log(sum exp(row)) - row[label], and its derivative times delta, softmax(row) -
  /// oneHot(label). Precondition: labels are less than n.
  void (*crossEntropy)(const T* logits, std::size_t rows, std::size_t n, const std::uint32_t* labels, T* out);
  void (*crossEntropyDerivative)(const T* delta, const T* logits, std::size_t rows, std::size_t n,
                                 const std::uint32_t* labels, T* out);
};

/// Returns the factor for the exponentials of a row, whose sum is `total`: NaN, for the whole row, if the
/// total is infinite, which only a logit of inf causes.
template <class T>
T weightOf(T factor, T total) noexcept {
  return std::isinf(total) ? total - total : factor / total;
}

/// The loops for the best instruction set that this machine has.
template <class T>
const RowLoops<T>& rowLoops();

}  // namespace tapestry::kernels
