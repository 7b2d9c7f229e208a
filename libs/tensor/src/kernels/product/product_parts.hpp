// Defines inParts, which shares a large product with the threads that help.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>

#include "kernels/product/gemm.hpp"
#include "tapestry/tensor/for_each_part.hpp"

namespace tapestry::kernels {

/// A product, or a part of one: `to` = `from` + alpha * op(a)·op(b), where `from` may be null for 0.
template <class T>
struct ProductPart {
  ProductShape shape;
  const T* a;
  const T* b;
  const T* from;
  T* to;
  ProductSteps steps = ProductSteps(shape);  ///< of the whole
};

/// How a product is cut into parts. The cut depends on the shape alone: along the longer side of the result,
/// or along the depth if the depth is longer still and the result is small. With a cut along the depth each
/// thread reads the same rows of a long right operand in the product and in the update that adds to that
/// operand. Fetching these rows from another core's cache takes longer than multiplying them.
struct ProductCut {
  enum class Along { rows, columns, depth };

  explicit ProductCut(const ProductShape& shape) noexcept {
    const auto& [transposeA, transposeB, m, n, k] = shape;
    constexpr std::size_t worth = 256 * 1024;    // multiplications, some 5 us
    constexpr std::size_t smallSum = 16 * 1024;  // elements
    const std::size_t share = m * n / worth * k + m * n % worth * k / worth;
    const bool byDepth = k > std::max(m, n) && m * n <= smallSum;
    along = byDepth ? Along::depth : m >= n ? Along::rows : Along::columns;
    extent = byDepth ? k : std::max(m, n);
    const std::size_t wanted = share < 4 ? 1 : std::bit_floor(std::min<std::size_t>(share, 8));
    const std::size_t unit = byDepth ? 64 : 16;
    length = (extent + wanted * unit - 1) / (wanted * unit) * unit;
  }

  std::size_t parts() const noexcept { return (extent + length - 1) / length; }

  Along along;
  std::size_t extent;
  std::size_t length;  ///< of each part but the last
};

/// Calls multiply(part) for the parts of the product, or for the whole where nobody helps or it is too small.
/// Parts along the depth are multiplied each for itself and added up in order.
template <class T, class F>
void inParts(const ProductPart<T>& whole, const F& multiply) {
  using Along = ProductCut::Along;
  const ProductCut cut(whole.shape);
  if (!hasHelpers() || cut.parts() == 1) return multiply(whole);
  const ProductSteps& steps = whole.steps;
  const std::size_t size = whole.shape.m * whole.shape.n;
  const bool byDepth = cut.along == Along::depth;
  std::unique_ptr<T[]> sums;
  if (byDepth) sums = std::make_unique_for_overwrite<T[]>((cut.parts() - 1) * size);
  forEachPart(cut.parts(), [&](std::size_t i) noexcept {
    ProductPart<T> part = whole;
    auto& [transposeA, transposeB, m, n, k] = part.shape;
    const std::size_t begin = i * cut.length;
    const std::size_t length = std::min(cut.length, cut.extent - begin);
    if (cut.along != Along::columns)
      part.a += begin * ((cut.along == Along::rows) == transposeA ? 1 : steps.a);
    if (cut.along != Along::rows) part.b += begin * (byDepth == transposeB ? 1 : steps.b);
    if (byDepth) {
      k = length;
      if (i > 0) part.from = nullptr, part.to = sums.get() + (i - 1) * size;
    } else {
      (cut.along == Along::rows ? m : n) = length;
      const bool byRows = cut.along == Along::rows;
      if (part.from) part.from += begin * (byRows ? steps.from : 1);
      part.to += begin * (byRows ? steps.c : 1);
    }
    multiply(part);
  });
  if (!byDepth) return;
  for (std::size_t i = 0; i + 1 < cut.parts(); ++i)
    std::transform(whole.to, whole.to + size, sums.get() + i * size, whole.to,
                   [](T x, T y) { return x + y; });
}

}  // namespace tapestry::kernels
