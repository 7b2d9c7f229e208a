#include "kernels/product/product.hpp"

#include <algorithm>
#include <utility>

#include "kernels/elementwise/binary_loops.hpp"
#include "kernels/product/matrix_loops.hpp"
#include "kernels/rows/row_loops.hpp"

namespace tapestry::kernels {

namespace {

// out = op(matrix)·x, where the matrix is [rows, columns] before it is transposed. A single column is a row
// as well, and the other way round: the long axis goes inside.
template <class T>
void timesVector(const T* matrix, std::size_t rows, std::size_t columns, bool transpose, const T* x, T* out) {
  if (columns == 1) {
    std::swap(rows, columns);
    transpose = !transpose;
  }
  if (transpose)
    matrixLoops<T>().vectorTimes(x, matrix, rows, columns, out);
  else
    matrixLoops<T>().timesVector(matrix, rows, columns, x, out);
}

template <class T>
void outer(const ProductShape& shape, T alpha, const T* a, const T* b, T beta, T* c) {
  if (shape.n == 1)
    matrixLoops<T>().outer(alpha, b, 1, a, shape.m, beta, c);
  else
    matrixLoops<T>().outer(alpha, a, shape.m, b, shape.n, beta, c);
}

// Where there is nothing to add up.
template <class T>
void scaleOnly(std::size_t size, T beta, T* c) {
  if (beta == 0)
    std::fill_n(c, size, T{0});
  else
    binaryLoops<T>().multiply.scalarRight(c, beta, size, c);
}

}  // namespace

template <class T>
void multiply(const ProductShape& shape, T alpha, const T* a, const T* b, T beta, T* c) {
  const auto& [transposeA, transposeB, m, n, k] = shape;
  if (m == 0 || n == 0) return;
  if (k == 0) return scaleOnly(m * n, beta, c);
  if (k == 1) return outer(shape, alpha, a, b, beta, c);
  if (alpha != 1 || beta != 0) return gemm(shape, alpha, a, b, beta, c);
  if (m == 1 && n == 1)
    *c = rowLoops<T>().dot(a, b, k);
  else if (m == 1)
    timesVector(b, transposeB ? n : k, transposeB ? k : n, !transposeB, a, c);
  else if (n == 1)
    timesVector(a, transposeA ? k : m, transposeA ? m : k, transposeA, b, c);
  else
    gemm(shape, alpha, a, b, beta, c);
}

template <class T>
void multiplyOnto(const ProductShape& shape, T alpha, const T* a, const T* b, const T* from, T* to) {
  if (shape.m > 0 && shape.n > 0 && shape.k > 1) return gemmOnto(shape, alpha, a, b, from, to);
  if (from != to) std::copy_n(from, shape.m * shape.n, to);
  multiply(shape, alpha, a, b, T{1}, to);
}

template void multiply(const ProductShape&, float, const float*, const float*, float, float*);
template void multiply(const ProductShape&, double, const double*, const double*, double, double*);
template void multiplyOnto(const ProductShape&, float, const float*, const float*, const float*, float*);
template void multiplyOnto(const ProductShape&, double, const double*, const double*, const double*, double*);

}  // namespace tapestry::kernels
