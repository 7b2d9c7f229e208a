// Defines matmul, addProduct, addProductOnto and affine, the product of vectors, matrices and stacks of
// matrices.
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// Whether an operand's last two axes are transposed; a vector is its own transpose.
enum class Transpose : bool { no, yes };

/// Returns a · b as NumPy's matmul does: [M, K]·[K, N] -> [M, N], [K]·[K, N] -> [N], [M, K]·[K] -> [M],
/// [K]·[K] -> []; leading axes broadcast: [B.., M, K]·[B.., K, N] -> [B.., M, N]. Transposed operands are
/// read in place, not copied. Runs on the calling thread; within a pass that has workers, idle workers help
/// with a large product. Throws ShapeError for a scalar operand, for shapes that do not fit, and for a result
/// that is too large; std::length_error for a matrix whose extents are beyond the integers of the library
/// that computes the product, 2^31 - 1; and std::runtime_error if the loaded OpenBLAS is not thread-safe.
template <class T>
Tensor<T> matmul(const Tensor<T>& a, Transpose transposeA, const Tensor<T>& b, Transpose transposeB);

template <class T>
Tensor<T> matmul(const Tensor<T>& a, const Tensor<T>& b) {
  return matmul(a, Transpose::no, b, Transpose::no);
}

TAPESTRY_OWN_KERNEL(matmul, (const X& a, Transpose transposeA, const X& b, Transpose transposeB),
                    (a, transposeA, b, transposeB))
TAPESTRY_OWN_KERNEL(matmul, (const X& a, const X& b), (a, Transpose::no, b, Transpose::no))

/// Returns the shape of matmul's result; throws ShapeError as matmul does.
Shape matmulShape(const Shape& a, Transpose transposeA, const Shape& b, Transpose transposeB);

/// Returns c + alpha * a·b for matrices, where c is [M, N]; in place if c is unique. Throws ShapeError for
/// another rank and for shapes that do not fit, and the other errors of matmul.
template <class T>
Tensor<T> addProduct(Tensor<T> c, std::type_identity_t<T> alpha, const Tensor<T>& a, Transpose transposeA,
                     const Tensor<T>& b, Transpose transposeB);

/// Throws the errors that a product of two matrices with that depth and result shape would throw if its
/// operands fit: std::length_error for extents beyond the libraries' integers, and std::runtime_error if the
/// loaded OpenBLAS is not thread-safe.
template <class T>
void requireProduct(std::size_t depth, const Shape& result);

/// to = c + alpha * a·b for matrices, where `to` may be c; cannot fail after requireProduct if the shapes
/// fit. Precondition: `to` is unique and has the shape of c.
template <class T>
void addProductOnto(const Tensor<T>& c, std::type_identity_t<T> alpha, const Tensor<T>& a,
                    Transpose transposeA, const Tensor<T>& b, Transpose transposeB, Tensor<T>& to);

/// Returns a · b + c, bitwise equal to the sum of c and matmul's result, where c broadcasts to the product.
/// For matrices, a c of rank 1 is added as part of the product. Throws as matmul does, and ShapeError, naming
/// `operation`, if c does not broadcast.
template <class T>
Tensor<T> affine(const Tensor<T>& a, const Tensor<T>& b, const Tensor<T>& c, std::string_view operation);

TAPESTRY_OWN_KERNEL(affine, (const X& a, const X& b, const X& c, std::string_view operation),
                    (a, b, c, operation))

}  // namespace tapestry::kernels
#pragma GCC visibility pop
