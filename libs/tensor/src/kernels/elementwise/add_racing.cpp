#include <tapestry/tensor/kernels/add_racing.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/add_racing.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// The callers want these races, so ThreadSanitizer need not report them.
template <class T>
__attribute__((no_sanitize("thread"))) void add(T* target, const T* difference, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, target + i), hn::LoadU(d, difference + i)), d, target + i);
  for (; i < n; ++i) target[i] += difference[i];
}

}  // namespace

void addFloats(float* target, const float* difference, std::size_t n) { add(target, difference, n); }
void addDoubles(double* target, const double* difference, std::size_t n) { add(target, difference, n); }

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

HWY_EXPORT(addFloats);
HWY_EXPORT(addDoubles);

template <>
void addRacing(float* target, const float* difference, std::size_t n) noexcept {
  HWY_DYNAMIC_DISPATCH(addFloats)(target, difference, n);
}
template <>
void addRacing(double* target, const double* difference, std::size_t n) noexcept {
  HWY_DYNAMIC_DISPATCH(addDoubles)(target, difference, n);
}

}  // namespace tapestry::kernels
#endif
