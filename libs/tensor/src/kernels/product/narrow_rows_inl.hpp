// Defines vectorTimesNarrow, a vector times a matrix of few columns, once for each instruction set.
// Highway compiles the file that includes this several times: the guard follows its toggle.
#if defined(TAPESTRY_KERNELS_NARROW_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAPESTRY_KERNELS_NARROW_ROWS_INL
#undef TAPESTRY_KERNELS_NARROW_ROWS_INL
#else
#define TAPESTRY_KERNELS_NARROW_ROWS_INL
#endif

#include <cstddef>

#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

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

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
