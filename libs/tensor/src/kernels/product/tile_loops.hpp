// Defines tileProduct, the product of two small or slender matrices.
#pragma once

#include "kernels/product/gemm.hpp"

namespace tapestry::kernels {

/// to = from + alpha * op(a)·op(b), where `from` may be `to`, or null for 0; nothing else overlaps. Allocates
/// nothing, and runs on the calling thread alone. Precondition: tilesFit(shape).
using TileProduct = void (*)(const ProductShape& shape, const ProductSteps& steps, float alpha,
                             const float* a, const float* b, const float* from, float* to);

/// Of products that are deeper, parts of so many terms are added up in `to`, to which `from` comes first.
inline constexpr std::size_t tileDepth = 64;

/// Null where there is neither AVX2 nor AVX-512.
TileProduct tileProduct();

/// Where b is transposed, the product is computed transposed, from a copy of `a` that must be small.
constexpr bool tilesFit(const ProductShape& shape) noexcept {
  return !shape.transposeB || (!shape.transposeA && shape.m <= 64 && shape.k <= 256);
}

}  // namespace tapestry::kernels
