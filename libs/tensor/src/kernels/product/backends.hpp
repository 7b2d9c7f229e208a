// Defines the functions that compute a product, or a part of one, on the calling thread: loops over vectors,
// tiles, oneDNN, OpenBLAS and blocks.
#pragma once

#include <cstddef>

#include "kernels/product/product.hpp"

namespace tapestry::kernels {

/// The sum of a[i] * b[i], pairwise.
template <class T>
T dot(const T* a, const T* b, std::size_t n) noexcept;

/// out = op(matrix)·x, where the matrix is contiguous, and [rows, columns] before it is transposed. A single
/// column is also a row, and vice versa: the long axis becomes the inner axis.
template <class T>
void timesVector(const T* matrix, std::size_t rows, std::size_t columns, bool transpose, const T* x,
                 T* out) noexcept;

/// Each row of the contiguous matrix [rows, columns] += row.
template <class T>
void addRow(const T* row, std::size_t rows, std::size_t columns, T* matrix) noexcept;

/// For small or slender matrices. Only `from` and `to` may overlap. Allocates nothing. Precondition: where b
/// is transposed, k is at most tileDepth.
using TileProduct = void (*)(const Product<float>& product);

/// Returns the function for the instruction set found at the first call; null if there is neither AVX2 nor
/// AVX-512.
TileProduct tileProduct();

// The following functions multiply matrices. Preconditions: no extent is 0, and `from` is null or `to`.

/// Of any shape, for builds without OpenBLAS. Allocates nothing. Precondition: steps.from is steps.c.
template <class T>
void multiplyByBlocks(const Product<T>& product) noexcept;

#if defined(TAPESTRY_HAS_OPENBLAS)
constexpr bool hasOpenBlas = true;
#else
constexpr bool hasOpenBlas = false;
#endif

// Defined where hasOpenBlas is true:

/// Makes OpenBLAS compute each product on the calling thread alone. Throws std::runtime_error if the loaded
/// OpenBLAS is not safe to call from several threads.
void keepOpenBlasOnOneThread();

/// Precondition: all extents and steps are integers of OpenBLAS.
void multiplyByOpenBlas(const Product<float>& product) noexcept;
void multiplyByOpenBlas(const Product<double>& product) noexcept;

// Defined where hasOneDnn is true:

/// Returns false if oneDNN cannot compute the product, which then is not computed. Precondition: all extents
/// and steps are within int.
bool multiplyByOneDnn(const Product<float>& product) noexcept;

/// Whether oneDNN uses AVX-512 on this machine.
bool oneDnnHasAvx512() noexcept;

}  // namespace tapestry::kernels
