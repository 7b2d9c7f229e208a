#include <tapestry/tensor/kernels/matmul.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/attention.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "kernels/layout/walk.hpp"
#include "kernels/product/product.hpp"
#include "kernels/target.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

std::string text(const Shape& shape, Transpose transpose) {
  return toString(shape) + (transpose == Transpose::yes ? " transposed" : "");
}

ShapeError fault(std::string_view problem, const Shape& a, Transpose transposeA, const Shape& b,
                 Transpose transposeB, std::string_view expected) {
  return ShapeError("matmul", problem, text(a, transposeA) + " and " + text(b, transposeB), expected);
}

/// For an operand that would fit with its last two axes swapped.
std::string wayOut(const std::string& operand, Transpose transpose) {
  return "; the " + operand + " operand fits with Transpose::" + (transpose == Transpose::yes ? "no" : "yes");
}

bool isPlain(const Shape& shape) { return shape.rank() == 1 || shape.rank() == 2; }

// Returns the product of the last two axes of operands with at least one axis. Throws if they do not fit.
ProductShape productOf(const Shape& a, Transpose transposeA, const Shape& b, Transpose transposeB) {
  const bool matrixA = a.rank() > 1;
  const bool matrixB = b.rank() > 1;
  const bool turnedA = matrixA && transposeA == Transpose::yes;
  const bool turnedB = matrixB && transposeB == Transpose::yes;
  const std::size_t lastA = a.rank() - 1;
  const std::size_t lastB = b.rank() - 1;
  const std::size_t rows = matrixA ? a[turnedA ? lastA : lastA - 1] : 1;
  const std::size_t columns = matrixB ? b[turnedB ? lastB - 1 : lastB] : 1;
  const std::size_t depth = a[turnedA ? lastA - 1 : lastA];
  const std::size_t depthB = b[turnedB || !matrixB ? lastB : lastB - 1];
  if (depthB != depth) {
    const std::string hint = matrixB && columns == depth ? wayOut("second", transposeB)
                             : matrixA && rows == depthB ? wayOut("first", transposeA)
                                                         : std::string();
    throw fault("inner dimensions differ", a, transposeA, b, transposeB, "[.., K] and [K, ..]" + hint);
  }
  return {turnedA, turnedB, rows, columns, depth};
}

// The axes before the last two.
Shape batchOf(const Shape& shape) {
  return shape.rank() > 2 ? Shape(std::span(shape.begin(), shape.rank() - 2)) : Shape();
}

// Whether the extents of two shapes, aligned at the last axis, are equal or 1. The shape that both broadcast
// to may still be too large, for which `broadcast` throws ShapeError.
bool broadcasts(const Shape& a, const Shape& b) noexcept {
  for (std::size_t i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
    const std::size_t left = a[a.rank() - i];
    const std::size_t right = b[b.rank() - i];
    if (left != right && left != 1 && right != 1) return false;
  }
  return true;
}

// The rows and the columns of the result, unless an operand is a vector.
Shape matrixOf(const ProductShape& product, const Shape& a, const Shape& b) {
  if (a.rank() > 1) return b.rank() > 1 ? Shape{product.m, product.n} : Shape{product.m};
  return b.rank() > 1 ? Shape{product.n} : Shape();
}

// The shapes of the product of two operands, which may be stacks of matrices; throws if they do not fit.
struct Operands {
  Operands(const Shape& a, Transpose transposeA, const Shape& b, Transpose transposeB) {
    if (a.rank() == 0 || b.rank() == 0)
      throw fault("a scalar is not a matrix", a, transposeA, b, transposeB,
                  "operands with at least one axis");
    product = productOf(a, transposeA, b, transposeB);
    batchA = batchOf(a);
    batchB = batchOf(b);
    if (!broadcasts(batchA, batchB))
      throw fault("leading axes do not broadcast", a, transposeA, b, transposeB,
                  "extents that are equal or 1 before the last two axes");
    batch = broadcast(batchA, batchB, "matmul");
    const Shape matrix = matrixOf(product, a, b);
    std::array<std::size_t, Shape::maxRank + 2> extents{};
    std::copy(matrix.begin(), matrix.end(), std::copy(batch.begin(), batch.end(), extents.begin()));
    result = Shape(std::span(extents.data(), batch.rank() + matrix.rank()));
  }

  ProductShape product;
  Shape batchA;
  Shape batchB;
  Shape batch;
  Shape result;
};

template <class T>
void multiplyEach(const Operands& operands, const T* a, const T* b, T* c) {
  const ProductShape& product = operands.product;
  const Walk walk(operands.batchA, operands.batchB, operands.batch);
  const std::size_t stepA = walk.repeatsA() ? 0 : product.m * product.k;
  const std::size_t stepB = walk.repeatsB() ? 0 : product.k * product.n;
  walk.forEachRow([&](std::size_t i, std::size_t j) {
    const T* left = a + i * product.m * product.k;
    const T* right = b + j * product.k * product.n;
    for (std::size_t step = 0; step < walk.rowLength(); ++step) {
      multiply<T>({product, left + step * stepA, right + step * stepB, c});
      c += product.m * product.n;
    }
  });
}

// Returns the product of two matrices that is added to c. Throws ShapeError if the shapes do not fit.
template <class T>
ProductShape requireOnto(const Tensor<T>& a, Transpose transposeA, const Tensor<T>& b, Transpose transposeB,
                         const Tensor<T>& c) {
  if (a.rank() != 2 || b.rank() != 2)
    throw ShapeError("matmul", "not matrices", toString(a.shape()) + " and " + toString(b.shape()),
                     "[M, K] and [K, N]");
  const ProductShape product = productOf(a.shape(), transposeA, b.shape(), transposeB);
  if (c.rank() != 2 || c.shape()[0] != product.m || c.shape()[1] != product.n)
    throw ShapeError("matmul", "the accumulator has the wrong shape", toString(c.shape()),
                     toString(matrixOf(product, a.shape(), b.shape())));
  return product;
}

}  // namespace

Shape matmulShape(const Shape& a, Transpose transposeA, const Shape& b, Transpose transposeB) {
  if (isPlain(a) && isPlain(b)) return matrixOf(productOf(a, transposeA, b, transposeB), a, b);
  return Operands(a, transposeA, b, transposeB).result;
}

Shape attentionScoresShape(const Shape& q, const Shape& k) {
  const auto misfit = [&](std::string_view problem, std::string_view expected) {
    return ShapeError("scaledDotProductAttention", problem, toString(q) + " and " + toString(k), expected);
  };
  if (q.rank() < 2 || k.rank() < 2)
    throw misfit("queries and keys are not matrices", "[..., T, D] and [..., S, D]");
  if (q[q.rank() - 1] != k[k.rank() - 1])
    throw misfit("queries and keys differ in width", "[..., T, D] and [..., S, D]");
  if (!broadcasts(batchOf(q), batchOf(k)))
    throw misfit("leading axes do not broadcast", "extents that are equal or 1 before the last two axes");
  return matmulShape(q, Transpose::no, k, Transpose::yes);
}

template <class T>
Tensor<T> matmul(const Tensor<T>& a, Transpose transposeA, const Tensor<T>& b, Transpose transposeB) {
  if (isPlain(a.shape()) && isPlain(b.shape())) {
    const ProductShape product = productOf(a.shape(), transposeA, b.shape(), transposeB);
    auto result = Tensor<T>::uninitialized(matrixOf(product, a.shape(), b.shape()));
    if (result.size() != 0) multiply<T>({product, a.data(), b.data(), result.exclusiveData()});
    return result;
  }
  Operands operands(a.shape(), transposeA, b.shape(), transposeB);
  auto result = Tensor<T>::uninitialized(operands.result);
  if (result.size() == 0) return result;
  ProductShape& product = operands.product;
  // As one product, unless its rows are more than the integers of the libraries count.
  constexpr std::size_t mostRows = std::numeric_limits<int>::max();
  if (operands.batchB.size() == 1 && !product.transposeA && operands.batchA.size() <= mostRows / product.m) {
    product.m *= operands.batchA.size();
    multiply<T>({product, a.data(), b.data(), result.exclusiveData()});
  } else {
    multiplyEach(operands, a.data(), b.data(), result.exclusiveData());
  }
  return result;
}

template <class T>
Tensor<T> addProduct(Tensor<T> c, std::type_identity_t<T> alpha, const Tensor<T>& a, Transpose transposeA,
                     const Tensor<T>& b, Transpose transposeB) {
  const ProductShape product = requireOnto(a, transposeA, b, transposeB, c);
  const T* const from = c.data();
  Tensor<T> result = targetFor(std::move(c));
  multiply<T>({product, a.data(), b.data(), result.exclusiveData(), from, alpha});
  return result;
}

template <class T>
void requireProduct(std::size_t depth, const Shape& result) {
  // OpenBLAS, which computes products in double precision, refuses every product that any backend would
  // refuse, whether this build has it or not.
  ProductMachine machine = thisMachine();
  machine.hasOpenBlas = true;
  plan({false, false, result[0], result[1], depth}, {.isDouble = true, .addend = Addend::matrix}, machine);
}

template <class T>
void addProductOnto(const Tensor<T>& c, std::type_identity_t<T> alpha, const Tensor<T>& a,
                    Transpose transposeA, const Tensor<T>& b, Transpose transposeB, Tensor<T>& to) {
  const ProductShape product = requireOnto(a, transposeA, b, transposeB, c);
  multiply<T>({product, a.data(), b.data(), to.exclusiveData(), c.data(), alpha});
}

template <class T>
Tensor<T> affine(const Tensor<T>& a, const Tensor<T>& b, const Tensor<T>& c, std::string_view operation) {
  if (a.rank() != 2 || b.rank() != 2 || c.rank() != 1 || c.size() != b.shape()[1]) {
    Tensor<T> product = matmul(a, b);
    requireBroadcast(operation, c.shape(), product.shape());
    return add(std::move(product), c);
  }
  const ProductShape shape = productOf(a.shape(), Transpose::no, b.shape(), Transpose::no);
  auto result = Tensor<T>::uninitialized({shape.m, shape.n});
  Product<T> product{shape, a.data(), b.data(), result.exclusiveData(), c.data()};
  product.steps.from = 0;
  multiply(product);
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                                                          \
  template Tensor<T> matmul(const Tensor<T>&, Transpose, const Tensor<T>&, Transpose);                   \
  template Tensor<T> addProduct(Tensor<T>, T, const Tensor<T>&, Transpose, const Tensor<T>&, Transpose); \
  template void requireProduct<T>(std::size_t, const Shape&);                                            \
  template void addProductOnto(const Tensor<T>&, T, const Tensor<T>&, Transpose, const Tensor<T>&,       \
                               Transpose, Tensor<T>&);                                                   \
  template Tensor<T> affine(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, std::string_view);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
