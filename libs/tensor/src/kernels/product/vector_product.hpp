// Defines dot and timesVector, the products of two vectors and of a matrix and a vector.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// The sum of a[i] * b[i], pairwise.
template <class T>
T dot(const T* a, const T* b, std::size_t n) noexcept;

/// out = op(matrix)·x, where the matrix is contiguous, and [rows, columns] before it is transposed. A single
/// column is also a row, and vice versa: the long axis becomes the inner axis.
template <class T>
void timesVector(const T* matrix, std::size_t rows, std::size_t columns, bool transpose, const T* x,
                 T* out) noexcept;

}  // namespace tapestry::kernels
