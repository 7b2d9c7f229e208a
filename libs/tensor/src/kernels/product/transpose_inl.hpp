// Defines transpose, with which tiles transpose an operand, once for each instruction set.
// Highway compiles the file that includes this several times: the guard follows its toggle.
#if defined(TAPESTRY_KERNELS_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAPESTRY_KERNELS_TRANSPOSE_INL
#undef TAPESTRY_KERNELS_TRANSPOSE_INL
#else
#define TAPESTRY_KERNELS_TRANSPOSE_INL
#endif

#include <cstddef>

#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET <= HWY_AVX3

/// Loads four elements of each fourth row, one row after the other.
template <class D>
HWY_INLINE hn::Vec<D> loadQuads(D d, const float* from, std::size_t step) {
  if constexpr (constexpr std::size_t count = hn::MaxLanes(D{}); count == 4) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, loadQuads(half, from + count / 2 * step, step), loadQuads(half, from, step));
  }
}

/// Transposes as many rows as a vector has lanes.
template <class D>
HWY_INLINE void transposeRows(D d, const float* from, std::size_t step, std::size_t columns, float* to,
                              std::size_t stepTo) {
  const hn::Repartition<double, D> pairs;
  std::size_t j = 0;
  for (; j + 4 <= columns; j += 4, to += 4 * stepTo) {
    const auto r0 = loadQuads(d, from + j, step);
    const auto r1 = loadQuads(d, from + j + step, step);
    const auto r2 = loadQuads(d, from + j + 2 * step, step);
    const auto r3 = loadQuads(d, from + j + 3 * step, step);
    const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
    const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
    const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
    const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + stepTo);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * stepTo);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * stepTo);
  }
  for (; j < columns; ++j, to += stepTo)
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) to[i] = from[i * step + j];
}

/// to[column][row] = from[row][column].
template <std::size_t lanes>
void transpose(const float* from, std::size_t step, std::size_t rows, std::size_t columns, float* to,
               std::size_t stepTo) {
  std::size_t i = 0;
  for (; i + lanes <= rows; i += lanes)
    transposeRows(hn::FixedTag<float, lanes>(), from + i * step, step, columns, to + i, stepTo);
  for (; i + 4 <= rows; i += 4)
    transposeRows(hn::FixedTag<float, 4>(), from + i * step, step, columns, to + i, stepTo);
  for (; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) to[j * stepTo + i] = from[i * step + j];
}

#endif

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
