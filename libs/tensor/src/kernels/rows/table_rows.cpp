#include "kernels/rows/table_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/table_rows.cpp"
#include <hwy/foreach_target.h>  // compiles this file, or its batch, again for each instruction set

#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Calls whole(j) for each vector of a row, and first(j, rest) for the remaining elements.
template <class T, class Whole, class First>
HWY_INLINE void forEachVector(std::size_t width, const Whole& whole, const First& first) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>());
  std::size_t j = 0;
  for (; j + lanes <= width; j += lanes) whole(j);
  if (j < width) first(j, width - j);
}

template <class T>
void gatherRowsLoop(const T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* out) {
  const hn::ScalableTag<T> d;
  for (std::size_t i = 0; i < n; ++i, out += width) {
    const T* const row = table + static_cast<std::size_t>(indices[i]) * width;
    forEachVector<T>(
        width, [&](std::size_t j) { hn::StoreU(hn::LoadU(d, row + j), d, out + j); },
        [&](std::size_t j, std::size_t rest) { storeFirst(d, loadFirst(d, row + j, rest), out + j, rest); });
  }
}

template <class T>
void exchangeRowsLoop(T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* rows) {
  const hn::ScalableTag<T> d;
  for (std::size_t i = 0; i < n; ++i, rows += width) {
    T* const row = table + static_cast<std::size_t>(indices[i]) * width;
    forEachVector<T>(
        width,
        [&](std::size_t j) {
          const auto other = hn::LoadU(d, rows + j);
          hn::StoreU(hn::LoadU(d, row + j), d, rows + j);
          hn::StoreU(other, d, row + j);
        },
        [&](std::size_t j, std::size_t rest) {
          const auto other = loadFirst(d, rows + j, rest);
          storeFirst(d, loadFirst(d, row + j, rest), rows + j, rest);
          storeFirst(d, other, row + j, rest);
        });
  }
}

template <class T>
void addRowsLoop(const T* const* rows, const std::size_t* places, std::size_t n, std::size_t width, T* sums) {
  const hn::ScalableTag<T> d;
  for (std::size_t i = 0; i < n; ++i) {
    const T* const row = rows[i];
    T* const sum = sums + places[i] * width;
    forEachVector<T>(
        width,
        [&](std::size_t j) { hn::StoreU(hn::Add(hn::LoadU(d, sum + j), hn::LoadU(d, row + j)), d, sum + j); },
        [&](std::size_t j, std::size_t rest) {
          storeFirst(d, hn::Add(loadFirst(d, sum + j, rest), loadFirst(d, row + j, rest)), sum + j, rest);
        });
  }
}

TAPESTRY_EXPORT_LOOP(gatherRowsLoop)
TAPESTRY_EXPORT_LOOP(exchangeRowsLoop)
TAPESTRY_EXPORT_LOOP(addRowsLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

namespace {

TAPESTRY_DISPATCH_LOOP(gatherRowsLoop)
TAPESTRY_DISPATCH_LOOP(exchangeRowsLoop)
TAPESTRY_DISPATCH_LOOP(addRowsLoop)

}  // namespace

template <class T>
void gatherRows(const T* table, const std::int64_t* indices, std::size_t n, std::size_t width,
                T* out) noexcept {
  gatherRowsLoop<T>()(table, indices, n, width, out);
}

template <class T>
void exchangeRows(T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* rows) noexcept {
  exchangeRowsLoop<T>()(table, indices, n, width, rows);
}

template <class T>
void addRows(const T* const* rows, const std::size_t* places, std::size_t n, std::size_t width,
             T* sums) noexcept {
  addRowsLoop<T>()(rows, places, n, width, sums);
}

#define TAPESTRY_INSTANTIATE(T)                                                                   \
  template void gatherRows(const T*, const std::int64_t*, std::size_t, std::size_t, T*) noexcept; \
  template void exchangeRows(T*, const std::int64_t*, std::size_t, std::size_t, T*) noexcept;     \
  template void addRows(const T* const*, const std::size_t*, std::size_t, std::size_t, T*) noexcept;
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#endif
