// Defines MatrixLoops, the inner loops of products of a matrix and a vector, of sums of rows, and of
// additions to rows.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// Compiled for each instruction set; the matrix is [rows, columns], contiguous.
template <class T>
struct MatrixLoops {
  /// out[i] = row i · x.
  void (*timesVector)(const T* matrix, std::size_t rows, std::size_t columns, const T* x, T* out);

  /// out = the sum of x[i] * row i.
  void (*vectorTimes)(const T* x, const T* matrix, std::size_t rows, std::size_t columns, T* out);

  /// Each row of the matrix += row.
  void (*addRow)(const T* row, std::size_t rows, std::size_t columns, T* matrix);

  /// out = the sum of all rows in order; there is at least one row.
  void (*sumRows)(const T* matrix, std::size_t rows, std::size_t columns, T* out);
};

/// The loops for the best instruction set that this machine has.
template <class T>
const MatrixLoops<T>& matrixLoops();

}  // namespace tapestry::kernels
