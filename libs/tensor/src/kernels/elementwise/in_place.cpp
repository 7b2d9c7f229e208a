#include "kernels/elementwise/in_place.hpp"

#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
void addToLoop(T* sums, const T* x, std::size_t n) {
  addEach(x, n, sums);
}

TAPESTRY_EXPORT_LOOP(addToLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(addToLoop)

template <class T>
void addTo(T* sums, const T* x, std::size_t n) noexcept {
  addToLoop<T>()(sums, x, n);
}

template void addTo(float*, const float*, std::size_t) noexcept;
template void addTo(double*, const double*, std::size_t) noexcept;

}  // namespace tapestry::kernels
#endif
