// Defines matmul, matmulInto, addProduct, addProductOnto and affine, the product of vectors, matrices and
// stacks of matrices.
#pragma once

#include <string_view>
#include <type_traits>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// How an operand's last two axes are taken; a vector is its own transpose.
enum class Transpose : bool { no, yes };

/// a · b as NumPy's matmul: [M, K]·[K, N] -> [M, N], [K]·[K, N] -> [N], [M, K]·[K] -> [M], [K]·[K] -> [];
/// leading axes broadcast: [B.., M, K]·[B.., K, N] -> [B.., M, N]. Transposed operands are read in place, not
/// copied. Runs on the calling thread, and within a pass that has workers shares a large product with those
/// that are idle. Throws ShapeError for a scalar operand and for shapes that do not fit.
template <class T>
Tensor<T> matmul(const Tensor<T>& a, Transpose transposeA, const Tensor<T>& b, Transpose transposeB);

template <class T>
Tensor<T> matmul(const Tensor<T>& a, const Tensor<T>& b) {
  return matmul(a, Transpose::no, b, Transpose::no);
}

/// The shape of that product; throws as it does.
Shape matmulShape(const Shape& a, Transpose transposeA, const Shape& b, Transpose transposeB);

/// c = alpha * a·b + beta * c for matrices, where c is [M, N]; in place if c is unique. Where beta is 0, c's
/// values are not read. Throws ShapeError for another rank and for shapes that do not fit.
template <class T>
void matmulInto(std::type_identity_t<T> alpha, const Tensor<T>& a, Transpose transposeA, const Tensor<T>& b,
                Transpose transposeB, std::type_identity_t<T> beta, Tensor<T>& c);

/// c + alpha * a·b for matrices, in place if c is unique; throws as matmulInto does.
template <class T>
Tensor<T> addProduct(Tensor<T> c, std::type_identity_t<T> alpha, const Tensor<T>& a, Transpose transposeA,
                     const Tensor<T>& b, Transpose transposeB);

/// Throws what a product of two matrices, of that depth and with a result of that shape, would throw if its
/// operands fit: for extents beyond those of the libraries, or where these are not the right ones.
template <class T>
void requireProduct(std::size_t depth, const Shape& result);

/// to = c + alpha * a·b, likewise, where `to` may be c; cannot fail after requireProduct, if the shapes fit.
/// Precondition: `to` is unique and has the same shape.
template <class T>
void addProductOnto(const Tensor<T>& c, std::type_identity_t<T> alpha, const Tensor<T>& a,
                    Transpose transposeA, const Tensor<T>& b, Transpose transposeB, Tensor<T>& to);

/// a · b + c, to the last bit what matmul and a sum give, where c broadcasts to the product; of matrices, a c
/// of rank 1 is added as part of the product. Throws ShapeError as matmul does, and, naming `operation`, for
/// another c.
template <class T>
Tensor<T> affine(const Tensor<T>& a, const Tensor<T>& b, const Tensor<T>& c, std::string_view operation);

}  // namespace tapestry::kernels
