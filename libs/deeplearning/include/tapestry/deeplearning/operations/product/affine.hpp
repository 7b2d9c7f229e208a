// Defines affine, the product of rows and a matrix plus a bias, as one operation.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/detail/matmul_derivative.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

inline constexpr MatmulShapes rowsByMatrix{kernels::Transpose::no, kernels::Transpose::no};

struct AffineShapes {
  static Shape of(std::string_view name, const Shape& x, const Shape& w, const Shape& b) {
    const Shape product = rowsByMatrix.of(name, x, w);
    kernels::requireBroadcast(name, b, product);
    return product;
  }
  /// Throws ShapeError if x and w do not fit; a shape is null if it is not known.
  static void requireSome(std::string_view name, const Shape* x, const Shape* w, const Shape*) {
    if (x && w) rowsByMatrix.of(name, *x, *w);
  }
  /// The cost of forward and backward in ns; each shape may be unknown.
  static float cost(const Shape* x, const Shape* w, const Shape*) noexcept { return rowsByMatrix.cost(x, w); }
  static std::uint64_t multiplications(const Shape& x, const Shape& w, const Shape&) {
    return rowsByMatrix.multiplications(x, w);
  }
};

}  // namespace detail

namespace operations {

/// z = x · w + b; dz/dx = delta · wᵀ, dz/dw = xᵀ · delta, dz/db = delta.
inline constexpr auto affine = ternaryOperation<"affine", Keep::operands, detail::AffineShapes>(
    []<class X>(const X& x, const X& w, const X& b) requires detail::isTensor<X> {
      return kernels::affine(x, w, b, "affine");
    },
    [](const auto& delta, const auto& x, const auto& w, const auto&) {
      return detail::matmulDerivativeLeft(delta, x, w, detail::rowsByMatrix);
    },
    [](const auto& delta, const auto& x, const auto& w, const auto&) {
      return detail::matmulDerivativeRight(delta, x, w, detail::rowsByMatrix);
    },
    [](const auto& delta, const auto&, const auto&, const auto&) { return delta; });

}  // namespace operations

/// z = x · w + b: matmul(x, w) + b to the last bit, where b broadcasts to the product. dx = delta · wᵀ, dw =
/// xᵀ · delta, db = the sum of delta over the rows. Keeps its operands, including b, until the deltas have
/// flowed back. ShapeError for shapes that do not fit, at the call if they are known by then.
template <class X, class W, class B>
  requires MeetingTensors<X, W, B>
auto affine(const X& x, const W& w, const B& b) {
  return operations::affine(x, w, b);
}

void affine(...) = delete;  // expected Differentiable tensors of one element type: x, weight, bias

}  // namespace tapestry
#pragma GCC visibility pop
