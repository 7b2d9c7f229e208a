// Defines Product, the operands of a product of two matrices, with multiply, which computes it.
#pragma once

#include <cstddef>

#include "kernels/product/plan.hpp"

namespace tapestry::kernels {

/// The distance between the rows of each matrix as it is stored; the addend may be a single row, with
/// distance 0.
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

/// `to` = alpha * op(a)·op(b) + `from`, where `from` may be `to`, or null for 0. A row that is added to each
/// row has steps.from = 0, and alpha is 1. Extents may be 0.
template <class T>
struct Product {
  ProductShape shape;
  const T* a;
  const T* b;
  T* to;
  const T* from = nullptr;
  T alpha = 1;
  ProductSteps steps = ProductSteps(shape);
};

/// Computes the product as planned, on the calling thread and, in parts, also on helping threads.
template <class T>
void run(const Plan& plan, Product<T> product);

/// Plans the product and runs the plan; the result is bitwise the same whether a row is added here or
/// afterwards. Throws as `thisMachine` and `plan` do. Products may be computed on several threads at once.
template <class T>
void multiply(const Product<T>& product);

}  // namespace tapestry::kernels
