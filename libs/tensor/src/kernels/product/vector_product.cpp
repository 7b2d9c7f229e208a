#include "kernels/product/backends.hpp"

#include <algorithm>
#include <utility>

#include "kernels/dispatch.hpp"
#include "kernels/reduction/pairwise_sum_inl.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
T dotLoop(const T* a, const T* b, std::size_t n) {
  return pairwiseSum<T>(Products<T>{a, b}, 0, n);
}

// Multiplies four rows at once, so that x is loaded once for all and their sums do not wait for each other.
template <class T>
HWY_INLINE void timesFourRows(const T* row, std::size_t columns, const T* x, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d);
  auto s1 = s0;
  auto s2 = s0;
  auto s3 = s0;
  std::size_t j = 0;
  for (; j + lanes <= columns; j += lanes) {
    const auto v = hn::LoadU(d, x + j);
    s0 = hn::MulAdd(v, hn::LoadU(d, row + j), s0);
    s1 = hn::MulAdd(v, hn::LoadU(d, row + columns + j), s1);
    s2 = hn::MulAdd(v, hn::LoadU(d, row + 2 * columns + j), s2);
    s3 = hn::MulAdd(v, hn::LoadU(d, row + 3 * columns + j), s3);
  }
  out[0] = hn::GetLane(hn::SumOfLanes(d, s0));
  out[1] = hn::GetLane(hn::SumOfLanes(d, s1));
  out[2] = hn::GetLane(hn::SumOfLanes(d, s2));
  out[3] = hn::GetLane(hn::SumOfLanes(d, s3));
  for (; j < columns; ++j)
    for (std::size_t i = 0; i < 4; ++i) out[i] += x[j] * row[i * columns + j];
}

template <class T>
HWY_INLINE T timesRow(const T* row, std::size_t columns, const T* x) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d);
  auto s1 = s0;
  std::size_t j = 0;
  for (; j + 2 * lanes <= columns; j += 2 * lanes) {
    s0 = hn::MulAdd(hn::LoadU(d, x + j), hn::LoadU(d, row + j), s0);
    s1 = hn::MulAdd(hn::LoadU(d, x + j + lanes), hn::LoadU(d, row + j + lanes), s1);
  }
  if (j + lanes <= columns) {
    s0 = hn::MulAdd(hn::LoadU(d, x + j), hn::LoadU(d, row + j), s0);
    j += lanes;
  }
  T sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
  for (; j < columns; ++j) sum += x[j] * row[j];
  return sum;
}

// out[i] = row i · x, for a matrix [rows, columns].
template <class T>
void timesColumnLoop(const T* matrix, std::size_t rows, std::size_t columns, const T* x, T* out) {
  std::size_t i = 0;
  for (; i + 4 <= rows; i += 4) timesFourRows(matrix + i * columns, columns, x, out + i);
  for (; i < rows; ++i) out[i] = timesRow(matrix + i * columns, columns, x);
}

// out += the sum of x[i] * row i over `count` rows. The count is a constant, so that each out is loaded and
// stored once for all rows. More than four rows would contend for the same cache lines where they are a power
// of two apart.
template <std::size_t count, class T>
HWY_INLINE void addRows(const T* x, const T* row, std::size_t columns, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + 2 * lanes <= columns; j += 2 * lanes) {
    auto s0 = hn::LoadU(d, out + j);
    auto s1 = hn::LoadU(d, out + j + lanes);
    for (std::size_t i = 0; i < count; ++i) {
      const auto factor = hn::Set(d, x[i]);
      s0 = hn::MulAdd(factor, hn::LoadU(d, row + i * columns + j), s0);
      s1 = hn::MulAdd(factor, hn::LoadU(d, row + i * columns + j + lanes), s1);
    }
    hn::StoreU(s0, d, out + j);
    hn::StoreU(s1, d, out + j + lanes);
  }
  for (; j + lanes <= columns; j += lanes) {
    auto sum = hn::LoadU(d, out + j);
    for (std::size_t i = 0; i < count; ++i)
      sum = hn::MulAdd(hn::Set(d, x[i]), hn::LoadU(d, row + i * columns + j), sum);
    hn::StoreU(sum, d, out + j);
  }
  for (; j < columns; ++j)
    for (std::size_t i = 0; i < count; ++i) out[j] += x[i] * row[i * columns + j];
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3

// out = the sum of x[i] * row i. A row has `vectors` vectors; the last may have lanes beyond the row. Sums of
// `atOnce` rows stay in registers and do not wait for each other.
template <std::size_t vectors, std::size_t atOnce, class T>
HWY_INLINE void combineNarrowRows(const T* x, const T* matrix, std::size_t rows, std::size_t columns,
                                  T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t last = vectors - 1;
  const auto mask = hn::FirstN(d, columns - last * lanes);
  V sum[atOnce][vectors];
  for (auto& each : sum)
    for (V& part : each) part = hn::Zero(d);
  const auto add = [&](std::size_t i, V(&to)[vectors]) {
    const V factor = hn::Set(d, x[i]);
    const T* const row = matrix + i * columns;
    for (std::size_t j = 0; j < last; ++j) to[j] = hn::MulAdd(factor, hn::LoadU(d, row + j * lanes), to[j]);
    to[last] = hn::MulAdd(factor, hn::MaskedLoad(mask, d, row + last * lanes), to[last]);
  };
  std::size_t i = 0;
  for (; i + atOnce <= rows; i += atOnce)
    for (std::size_t k = 0; k < atOnce; ++k) add(i + k, sum[k]);
  for (; i < rows; ++i) add(i, sum[0]);
  for (std::size_t k = 1; k < atOnce; ++k)
    for (std::size_t j = 0; j < vectors; ++j) sum[0][j] = hn::Add(sum[0][j], sum[k][j]);
  for (std::size_t j = 0; j < last; ++j) hn::StoreU(sum[0][j], d, out + j * lanes);
  hn::BlendedStore(sum[0][last], mask, d, out + last * lanes);
}

// Computes a vector times a matrix of few columns; returns false where it has too many.
template <class T>
HWY_INLINE bool vectorTimesNarrow(const T* x, const T* matrix, std::size_t rows, std::size_t columns,
                                  T* out) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  if (columns <= lanes)
    combineNarrowRows<1, 8>(x, matrix, rows, columns, out);
  else if (columns <= 2 * lanes)
    combineNarrowRows<2, 4>(x, matrix, rows, columns, out);
  else if (columns <= 3 * lanes)
    combineNarrowRows<3, 3>(x, matrix, rows, columns, out);
  else if (columns <= 4 * lanes)
    combineNarrowRows<4, 2>(x, matrix, rows, columns, out);
  else
    return false;
  return true;
}

#else

template <class T>
HWY_INLINE bool vectorTimesNarrow(const T*, const T*, std::size_t, std::size_t, T*) {
  return false;
}

#endif

// out = the sum of x[i] * row i.
template <class T>
void rowTimesLoop(const T* x, const T* matrix, std::size_t rows, std::size_t columns, T* out) {
  if (vectorTimesNarrow(x, matrix, rows, columns, out)) return;
  std::fill_n(out, columns, T{0});
  std::size_t i = 0;
  for (; i + 4 <= rows; i += 4) addRows<4>(x + i, matrix + i * columns, columns, out);
  for (; i < rows; ++i) addRows<1>(x + i, matrix + i * columns, columns, out);
}

template <class T>
void addRowLoop(const T* row, std::size_t rows, std::size_t columns, T* matrix) {
  for (std::size_t i = 0; i < rows; ++i) addEach(row, columns, matrix + i * columns);
}

template <class T>
void addScalarLoop(T x, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(hn::Add(hn::Set(access.d, x), access.load(out + i)), out + i);
  });
}

TAPESTRY_EXPORT_LOOP(dotLoop)
TAPESTRY_EXPORT_LOOP(timesColumnLoop)
TAPESTRY_EXPORT_LOOP(rowTimesLoop)
TAPESTRY_EXPORT_LOOP(addRowLoop)
TAPESTRY_EXPORT_LOOP(addScalarLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(dotLoop)
TAPESTRY_DISPATCH_LOOP(timesColumnLoop)
TAPESTRY_DISPATCH_LOOP(rowTimesLoop)
TAPESTRY_DISPATCH_LOOP(addRowLoop)
TAPESTRY_DISPATCH_LOOP(addScalarLoop)

template <class T>
T dot(const T* a, const T* b, std::size_t n) noexcept {
  return dotLoop<T>()(a, b, n);
}

template <class T>
void timesVector(const T* matrix, std::size_t rows, std::size_t columns, bool transpose, const T* x,
                 T* out) noexcept {
  if (columns == 1) {
    std::swap(rows, columns);
    transpose = !transpose;
  }
  if (transpose)
    rowTimesLoop<T>()(x, matrix, rows, columns, out);
  else
    timesColumnLoop<T>()(matrix, rows, columns, x, out);
}

template <class T>
void addRow(const T* row, std::size_t rows, std::size_t columns, T* matrix) noexcept {
  if (columns == 1)
    addScalarLoop<T>()(*row, rows, matrix);
  else
    addRowLoop<T>()(row, rows, columns, matrix);
}

#define TAPESTRY_INSTANTIATE(T)                                                               \
  template T dot(const T*, const T*, std::size_t) noexcept;                                   \
  template void timesVector(const T*, std::size_t, std::size_t, bool, const T*, T*) noexcept; \
  template void addRow(const T*, std::size_t, std::size_t, T*) noexcept;
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#endif
