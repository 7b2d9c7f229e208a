#include "kernels/rows/table_rows.hpp"

#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
void gatherRowsLoop(const T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* out) {
  for (std::size_t i = 0; i < n; ++i, out += width) {
    const T* const row = table + static_cast<std::size_t>(indices[i]) * width;
    forEachVector<T>(width, [=](const auto& access, std::size_t j) HWY_ATTR {
      const auto value = access.load(row + j);
      access.store(value, out + j);
    });
  }
}

template <class T>
void exchangeRowsLoop(T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* rows) {
  for (std::size_t i = 0; i < n; ++i, rows += width) {
    T* const row = table + static_cast<std::size_t>(indices[i]) * width;
    forEachVector<T>(width, [=](const auto& access, std::size_t j) HWY_ATTR {
      const auto other = access.load(rows + j);
      access.store(access.load(row + j), rows + j);
      access.store(other, row + j);
    });
  }
}

template <class T>
void addRowsLoop(const T* const* rows, const std::size_t* places, std::size_t n, std::size_t width, T* sums) {
  for (std::size_t i = 0; i < n; ++i) addEach(rows[i], width, sums + places[i] * width);
}

TAPESTRY_EXPORT_LOOP(gatherRowsLoop)
TAPESTRY_EXPORT_LOOP(exchangeRowsLoop)
TAPESTRY_EXPORT_LOOP(addRowsLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(gatherRowsLoop)
TAPESTRY_DISPATCH_LOOP(exchangeRowsLoop)
TAPESTRY_DISPATCH_LOOP(addRowsLoop)

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
