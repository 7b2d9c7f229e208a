#include "kernels/product/add_row.hpp"

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
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(hn::Add(hn::Set(access.d, x), access.load(out + i)), out + i);
  });
}

TAPESTRY_EXPORT_LOOP(addRowLoop)
TAPESTRY_EXPORT_LOOP(addScalarLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(addRowLoop)
TAPESTRY_DISPATCH_LOOP(addScalarLoop)

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
