// Defines gemm, the product of two matrices by the library that is faster for their shape.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// op(a) is [m, k] and op(b) is [k, n], where op transposes if asked to; both are contiguous.
struct ProductShape {
  bool transposeA;
  bool transposeB;
  std::size_t m;
  std::size_t n;
  std::size_t k;
};

/// How far apart the rows of each matrix are, as it is stored; those of what a product is added to may all be
/// one, 0 apart.
struct ProductSteps {
  constexpr explicit ProductSteps(const ProductShape& shape) noexcept
      : a(shape.transposeA ? shape.m : shape.k),
        b(shape.transposeB ? shape.k : shape.n),
        c(shape.n),
        from(shape.n) {}
  std::size_t a;
  std::size_t b;
  std::size_t c;
  std::size_t from;
};

/// Throws what `gemm` would throw.
void requireGemm(const ProductShape& shape);

/// c = alpha * op(a)·op(b) + beta * c, none of m, n and k being 0. c is not read where beta is 0. Runs on the
/// calling thread, a large one also on those that help, and on several at once. Throws std::length_error for
/// an extent beyond the libraries' integers, and std::runtime_error if the loaded OpenBLAS is not safe to
/// call from several threads.
template <class T>
void gemm(const ProductShape& shape, T alpha, const T* a, const T* b, T beta, T* c);

/// to = from + alpha * op(a)·op(b), likewise; `from` may be `to`.
template <class T>
void gemmOnto(const ProductShape& shape, T alpha, const T* a, const T* b, const T* from, T* to);

/// to = op(a)·op(b), and `row` added to each of its rows; to the last bit what gemm gives, plus `row`.
template <class T>
void gemmOntoRow(const ProductShape& shape, const T* a, const T* b, const T* row, T* to);

}  // namespace tapestry::kernels
