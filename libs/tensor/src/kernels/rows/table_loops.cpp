#include "kernels/rows/table_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/table_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
using Tag = hn::ScalableTag<T>;

// Calls whole(j) for each vector of a row, and first(j, rest) for the remaining elements.
template <class T, class Whole, class First>
HWY_INLINE void forEachVector(std::size_t width, const Whole& whole, const First& first) {
  const std::size_t lanes = hn::Lanes(Tag<T>());
  std::size_t j = 0;
  for (; j + lanes <= width; j += lanes) whole(j);
  if (j < width) first(j, width - j);
}

template <class T>
void gather(const T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* out) {
  const Tag<T> d;
  for (std::size_t i = 0; i < n; ++i, out += width) {
    const T* const row = table + static_cast<std::size_t>(indices[i]) * width;
    forEachVector<T>(
        width, [&](std::size_t j) { hn::StoreU(hn::LoadU(d, row + j), d, out + j); },
        [&](std::size_t j, std::size_t rest) { storeFirst(d, loadFirst(d, row + j, rest), out + j, rest); });
  }
}

template <class T>
void exchange(T* table, const std::int64_t* indices, std::size_t n, std::size_t width, T* rows) {
  const Tag<T> d;
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
void add(const T* const* rows, const std::size_t* places, std::size_t n, std::size_t width, T* sums) {
  const Tag<T> d;
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

template <class T>
constexpr TableLoops<T> loops{gather<T>, exchange<T>, add<T>};

}  // namespace

TAPESTRY_LOOPS_OF_TARGET(TableLoops, tableLoops)

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOPS(TableLoops, tableLoops)

}  // namespace tapestry::kernels
#endif
