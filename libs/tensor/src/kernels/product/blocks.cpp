#include "kernels/product/backends.hpp"

#include <algorithm>

#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// The right operand is copied block by block, row after row and times alpha. Blocks fit a stack of 256 KiB.
constexpr std::size_t blockTerms = 32;
constexpr std::size_t blockColumns = 64;

template <class T>
void copyBlock(const Product<T>& x, std::size_t term, std::size_t terms, std::size_t column,
               std::size_t columns, T* block) {
  const std::size_t step = x.steps.b;
  if (!x.shape.transposeB)
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t j = 0; j < columns; ++j)
        block[k * blockColumns + j] = x.alpha * x.b[(term + k) * step + column + j];
  else
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t k = 0; k < terms; ++k)
        block[k * blockColumns + j] = x.alpha * x.b[(column + j) * step + term + k];
  // Vectors reach beyond the last column; the result has no such elements, but they should be ordinary
  // numbers.
  for (std::size_t k = 0; k < terms && columns < blockColumns; ++k)
    std::fill_n(block + k * blockColumns + columns, blockColumns - columns, T{0});
}

/// The elements of op(a) that a block is multiplied by, and the part of the result.
template <class T>
struct Rows {
  const T* a;
  std::size_t rowStep;
  std::size_t termStep;
  std::size_t terms;
  T* to;
  std::size_t stepTo;
  std::size_t columns;
  bool adds;  ///< whether the product is added to the values of `to`
};

/// Writes the sum, or adds it, to the lanes from column j on that the result has.
template <class D, class V, class T>
HWY_INLINE void put(D d, V sum, const Rows<T>& x, std::size_t row, std::size_t j) {
  const std::size_t left = x.columns - j;
  T* const to = x.to + row * x.stepTo + j;
  if (left >= hn::Lanes(d)) {
    if (x.adds) sum = hn::Add(hn::LoadU(d, to), sum);
    return hn::StoreU(sum, d, to);
  }
  if (x.adds) sum = hn::Add(loadFirst(d, to, left), sum);
  storeFirst(d, sum, to, left);
}

/// Multiplies four rows of op(a) at once, so that their sums do not wait for each other.
template <class T>
HWY_INLINE void multiplyFourRows(const Rows<T>& x, const T* block) {
  const hn::ScalableTag<T> d;
  for (std::size_t j = 0; j < x.columns; j += hn::Lanes(d)) {
    auto s0 = hn::Zero(d);
    auto s1 = s0;
    auto s2 = s0;
    auto s3 = s0;
    const T* a = x.a;
    for (std::size_t k = 0; k < x.terms; ++k, a += x.termStep) {
      const auto v = hn::Load(d, block + k * blockColumns + j);
      s0 = hn::MulAdd(hn::Set(d, a[0]), v, s0);
      s1 = hn::MulAdd(hn::Set(d, a[x.rowStep]), v, s1);
      s2 = hn::MulAdd(hn::Set(d, a[2 * x.rowStep]), v, s2);
      s3 = hn::MulAdd(hn::Set(d, a[3 * x.rowStep]), v, s3);
    }
    put(d, s0, x, 0, j);
    put(d, s1, x, 1, j);
    put(d, s2, x, 2, j);
    put(d, s3, x, 3, j);
  }
}

template <class T>
HWY_INLINE void multiplyRow(const Rows<T>& x, const T* block) {
  const hn::ScalableTag<T> d;
  for (std::size_t j = 0; j < x.columns; j += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < x.terms; ++k)
      sum = hn::MulAdd(hn::Set(d, x.a[k * x.termStep]), hn::Load(d, block + k * blockColumns + j), sum);
    put(d, sum, x, 0, j);
  }
}

template <class T>
void multiplyRows(Rows<T> x, std::size_t count, const T* block) {
  const T* const a = x.a;
  T* const to = x.to;
  std::size_t row = 0;
  const auto moved = [&](std::size_t rows) {
    x.a = a + row * x.rowStep;
    x.to = to + row * x.stepTo;
    row += rows;
    return x;
  };
  while (row + 4 <= count) multiplyFourRows(moved(4), block);
  while (row < count) multiplyRow(moved(1), block);
}

template <class T>
void blocksLoop(const Product<T>& x) {
  const auto& [transposeA, transposeB, m, n, k] = x.shape;
  HWY_ALIGN T block[blockTerms * blockColumns];
  const std::size_t rowStep = transposeA ? 1 : x.steps.a;
  const std::size_t termStep = transposeA ? x.steps.a : 1;
  for (std::size_t column = 0; column < n; column += blockColumns) {
    const std::size_t columns = std::min(blockColumns, n - column);
    T* const to = x.to + column;
    for (std::size_t term = 0; term < k; term += blockTerms) {
      const std::size_t terms = std::min(blockTerms, k - term);
      copyBlock(x, term, terms, column, columns, block);
      const bool adds = term > 0 || x.from;
      multiplyRows<T>({x.a + term * termStep, rowStep, termStep, terms, to, x.steps.c, columns, adds}, m,
                      block);
    }
  }
}

TAPESTRY_EXPORT_LOOP(blocksLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(blocksLoop)

template <class T>
void multiplyByBlocks(const Product<T>& product) noexcept {
  blocksLoop<T>()(product);
}

template void multiplyByBlocks(const Product<float>&) noexcept;
template void multiplyByBlocks(const Product<double>&) noexcept;

}  // namespace tapestry::kernels
#endif
