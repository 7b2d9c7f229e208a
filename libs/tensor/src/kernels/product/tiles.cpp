#include "kernels/product/backends.hpp"

#include <algorithm>
#include <utility>

#include <hwy/cache_control.h>

#include "kernels/product/transpose_inl.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3

// A tile of the result is held in registers: it has 6 rows, each of 2 vectors if there are 16 registers, or
// of 4 vectors if there are 32.
constexpr std::size_t tileRows = 6;
constexpr std::size_t lanes = HWY_TARGET == HWY_AVX2 ? 8 : 16;
constexpr std::size_t tileVectors = HWY_TARGET == HWY_AVX2 ? 2 : 4;
constexpr std::size_t tileColumns = tileVectors * lanes;

// The number of rows of `a` that are multiplied by one panel of b after the other.
constexpr std::size_t blockRows = 48;

/// Elements of a matrix, a step apart along each axis.
struct Elements {
  const float* data;
  std::size_t rowStep;
  std::size_t columnStep;
};

/// Columns of b and their part of the result: `to` = `from` + a·b.
struct Panel {
  const float* b;
  std::size_t stepB;
  const float* from;
  std::size_t stepFrom;
  float* to;
  std::size_t stepTo;
};

/// Unless `whole`, only `last` lanes of the last vector are in the matrix.
template <std::size_t rows, std::size_t vectors, bool whole>
HWY_INLINE void tile(const Elements a, std::size_t depth, const Panel panel, std::size_t last) {
  const hn::FixedTag<float, lanes> d;
  using V = hn::Vec<decltype(d)>;
  const auto mask = whole ? hn::FirstN(d, lanes) : hn::FirstN(d, last);
  const auto isFull = [](std::size_t j) { return whole || j + 1 < vectors; };
  const auto load = [&](const float* row, std::size_t j) {
    return isFull(j) ? hn::LoadU(d, row + j * lanes) : hn::MaskedLoad(mask, d, row + j * lanes);
  };
  V sum[rows][vectors];
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < vectors; ++j) sum[i][j] = hn::Zero(d);
  const float* left = a.data;
  const float* right = panel.b;
  for (std::size_t k = 0; k < depth; ++k, left += a.columnStep, right += panel.stepB) {
    V factor[vectors];
    for (std::size_t j = 0; j < vectors; ++j) factor[j] = load(right, j);
    for (std::size_t i = 0; i < rows; ++i) {
      const V x = hn::Set(d, left[i * a.rowStep]);
      for (std::size_t j = 0; j < vectors; ++j) sum[i][j] = hn::MulAdd(x, factor[j], sum[i][j]);
    }
  }
  if (const float* from = panel.from)
    for (std::size_t i = 0; i < rows; ++i, from += panel.stepFrom)
      for (std::size_t j = 0; j < vectors; ++j) sum[i][j] = hn::Add(sum[i][j], load(from, j));
  float* to = panel.to;
  for (std::size_t i = 0; i < rows; ++i, to += panel.stepTo)
    for (std::size_t j = 0; j < vectors; ++j)
      if (isFull(j))
        hn::StoreU(sum[i][j], d, to + j * lanes);
      else
        hn::BlendedStore(sum[i][j], mask, d, to + j * lanes);
}

/// Computes a tile of as few vectors as the columns need.
template <std::size_t rows, std::size_t vectors = 1>
HWY_INLINE void tileOf(const Elements& a, std::size_t depth, const Panel& panel, std::size_t columns) {
  if constexpr (vectors < tileVectors)
    if (columns > vectors * lanes) return tileOf<rows, vectors + 1>(a, depth, panel, columns);
  if (columns >= vectors * lanes)
    tile<rows, vectors, true>(a, depth, panel, lanes);
  else
    tile<rows, vectors, false>(a, depth, panel, columns - (vectors - 1) * lanes);
}

/// Computes a tile of `rows` rows, at most `most`.
template <std::size_t most>
HWY_INLINE void tileOf(std::size_t rows, const Elements& a, std::size_t depth, const Panel& panel,
                       std::size_t columns) {
  if constexpr (most > 1)
    if (rows < most) return tileOf<most - 1>(rows, a, depth, panel, columns);
  tileOf<most>(a, depth, panel, columns);
}

/// Computes all rows of a, in tiles of about equal height.
void multiplyBlock(Elements a, std::size_t rows, std::size_t depth, Panel result, std::size_t columns) {
  for (std::size_t tiles = (rows + tileRows - 1) / tileRows; tiles > 0; --tiles) {
    const std::size_t height = (rows + tiles - 1) / tiles;
    Panel panel = result;
    for (std::size_t column = 0; column < columns; column += tileColumns) {
      tileOf<tileRows>(height, a, depth, panel, columns - column);
      panel.b += tileColumns;
      panel.to += tileColumns;
      if (panel.from) panel.from += tileColumns;
    }
    rows -= height;
    a.data += height * a.rowStep;
    result.to += height * result.stepTo;
    if (result.from) result.from += height * result.stepFrom;
  }
}

/// Copies `count` rows of `length` elements times alpha to rows that are `length` apart; prefetches the next
/// elements of each row, which will be needed soon.
void copyRows(float alpha, const float* from, std::size_t step, std::size_t count, std::size_t length,
              float* to) {
  const hn::FixedTag<float, lanes> d;
  const auto scale = hn::Set(d, alpha);
  for (std::size_t i = 0; i < count; ++i, from += step, to += length) {
    std::size_t j = 0;
    for (; j + lanes <= length; j += lanes) {
      hn::StoreU(hn::Mul(scale, hn::LoadU(d, from + j)), d, to + j);
      hwy::Prefetch(from + j + length);
    }
    for (; j < length; ++j) to[j] = alpha * from[j];
  }
}

/// Returns the block of alpha * op(a) that begins at (row, depth), copied to `room` if alpha is not 1.
Elements blockOf(const ProductShape& shape, std::size_t step, float alpha, const float* a, std::size_t row,
                 std::size_t rows, std::size_t depth, std::size_t depths, float* room) {
  const auto at = [&](const float* data, std::size_t apart) {
    return shape.transposeA ? Elements{data, 1, apart} : Elements{data, apart, 1};
  };
  const float* const from = shape.transposeA ? a + depth * step + row : a + row * step + depth;
  if (alpha == 1) return at(from, step);
  const auto [count, length] = shape.transposeA ? std::pair{depths, rows} : std::pair{rows, depths};
  copyRows(alpha, from, step, count, length, room);
  return at(room, length);
}

void multiplyPlain(const Product<float>& product) {
  auto [shape, a, b, to, from, alpha, steps] = product;
  const auto& [transposeA, transposeB, m, n, k] = shape;
  HWY_ALIGN float room[blockRows * tileDepth];
  for (std::size_t depth = 0; depth < k; depth += tileDepth, from = to, steps.from = steps.c) {
    const std::size_t depths = std::min(tileDepth, k - depth);
    for (std::size_t row = 0; row < m; row += blockRows) {
      const std::size_t rows = std::min(blockRows, m - row);
      const Elements block = blockOf(shape, steps.a, alpha, a, row, rows, depth, depths, room);
      multiplyBlock(block, rows, depths,
                    {b + depth * steps.b, steps.b, from ? from + row * steps.from : nullptr, steps.from,
                     to + row * steps.c, steps.c},
                    n);
    }
  }
}

/// Transposes up to `turnedColumns` rows of b at a time into a buffer.
void multiplyTransposed(const Product<float>& product) {
  constexpr std::size_t turnedColumns = 64;
  HWY_ALIGN float turned[tileDepth * turnedColumns];
  for (std::size_t column = 0; column < product.shape.n; column += turnedColumns) {
    Product<float> part = product;
    part.shape.transposeB = false;
    part.shape.n = std::min(turnedColumns, product.shape.n - column);
    transpose<lanes>(product.b + column * product.steps.b, product.steps.b, part.shape.n, part.shape.k,
                     turned, turnedColumns);
    part.b = turned;
    part.steps.b = turnedColumns;
    part.to += column;
    if (part.from) part.from += column;
    multiplyPlain(part);
  }
}

// The least number of terms for multiplyRowPerLane; for fewer, transposing the result takes longer than
// transposing b.
constexpr std::size_t leastDepthByLanes = 32;

/// For as many rows of a as a vector has lanes: computes the transposed product, b·aᵀ, which reads b as it is
/// stored. Precondition: a is stored as it is multiplied, and alpha is 1.
void multiplyRowPerLane(const Product<float>& product) {
  const auto& [shape, a, b, to, from, alpha, steps] = product;
  HWY_ALIGN float turned[tileDepth * lanes];
  HWY_ALIGN float result[blockRows * lanes];
  transpose<lanes>(a, steps.a, shape.m, shape.k, turned, lanes);
  for (std::size_t row = 0; row < shape.n; row += blockRows) {
    const std::size_t rows = std::min(blockRows, shape.n - row);
    if (from) transpose<lanes>(from + row, steps.from, shape.m, rows, result, lanes);
    multiplyBlock({b + row * steps.b, steps.b, 1}, rows, shape.k,
                  {turned, lanes, from ? result : nullptr, lanes, result, lanes}, shape.m);
    transpose<lanes>(result, lanes, rows, shape.m, to + row, steps.c);
  }
}

void multiplyByTiles(const Product<float>& product) {
  const auto& [transposeA, transposeB, m, n, k] = product.shape;
  constexpr bool hasAvx512 = lanes == 16;
  if (!transposeB)
    multiplyPlain(product);
  else if (hasAvx512 && !transposeA && m == lanes && k >= leastDepthByLanes && product.alpha == 1)
    multiplyRowPerLane(product);
  else
    multiplyTransposed(product);
}

constexpr TileProduct ofTarget = multiplyByTiles;

#else

constexpr TileProduct ofTarget = nullptr;

#endif

}  // namespace

TileProduct tileProductOfTarget() { return ofTarget; }

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

HWY_EXPORT(tileProductOfTarget);

TileProduct tileProduct() {
  static const TileProduct found = HWY_DYNAMIC_DISPATCH(tileProductOfTarget)();
  return found;
}

}  // namespace tapestry::kernels
#endif
