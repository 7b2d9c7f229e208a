#include "kernels/elementwise/in_place.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/in_place.cpp"
#include <hwy/foreach_target.h>  // compiles this file, or its batch, again for each instruction set

#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
void addToLoop(T* sums, const T* x, std::size_t n) {
  addEach(x, n, sums);
}

template <class T>
void multiplyByLoop(T* products, T factor, std::size_t n) {
  multiplyEach(products, factor, n, products);
}

TAPESTRY_EXPORT_LOOP(addToLoop)
TAPESTRY_EXPORT_LOOP(multiplyByLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

namespace {

TAPESTRY_DISPATCH_LOOP(addToLoop)
TAPESTRY_DISPATCH_LOOP(multiplyByLoop)

}  // namespace

template <class T>
void addTo(T* sums, const T* x, std::size_t n) noexcept {
  addToLoop<T>()(sums, x, n);
}

template <class T>
void multiplyBy(T* products, T factor, std::size_t n) noexcept {
  multiplyByLoop<T>()(products, factor, n);
}

#define TAPESTRY_INSTANTIATE(T)                            \
  template void addTo(T*, const T*, std::size_t) noexcept; \
  template void multiplyBy(T*, T, std::size_t) noexcept;
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#endif
