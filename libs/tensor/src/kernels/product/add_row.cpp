#include "kernels/product/add_row.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/product/add_row.cpp"
#include <hwy/foreach_target.h>  // compiles this file, or its batch, again for each instruction set

#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
void addRowLoop(const T* row, std::size_t rows, std::size_t columns, T* matrix) {
  for (std::size_t i = 0; i < rows; ++i) addEach(row, columns, matrix + i * columns);
}

template <class T>
void addScalarLoop(T x, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto added = hn::Set(d, x);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::Add(hn::LoadU(d, out + i), added), d, out + i);
  if (i < n) storeFirst(d, hn::Add(loadFirst(d, out + i, n - i), added), out + i, n - i);
}

TAPESTRY_EXPORT_LOOP(addRowLoop)
TAPESTRY_EXPORT_LOOP(addScalarLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

namespace {

TAPESTRY_DISPATCH_LOOP(addRowLoop)
TAPESTRY_DISPATCH_LOOP(addScalarLoop)

}  // namespace

template <class T>
void addRow(const T* row, std::size_t rows, std::size_t columns, T* matrix) noexcept {
  if (columns == 1)
    addScalarLoop<T>()(*row, rows, matrix);
  else
    addRowLoop<T>()(row, rows, columns, matrix);
}

template void addRow(const float*, std::size_t, std::size_t, float*) noexcept;
template void addRow(const double*, std::size_t, std::size_t, double*) noexcept;

}  // namespace tapestry::kernels
#endif
