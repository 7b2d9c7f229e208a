#include <tapestry/tensor/kernels/add_racing.hpp>

#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// The callers want these races, so ThreadSanitizer need not report them.
template <class T>
__attribute__((no_sanitize("thread"))) void addRacingLoop(T* target, const T* difference, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, target + i), hn::LoadU(d, difference + i)), d, target + i);
  for (; i < n; ++i) target[i] += difference[i];
}

TAPESTRY_EXPORT_LOOP(addRacingLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(addRacingLoop)

template <class T>
void addRacing(T* target, const T* difference, std::size_t n) noexcept {
  addRacingLoop<T>()(target, difference, n);
}

template void addRacing(float*, const float*, std::size_t) noexcept;
template void addRacing(double*, const double*, std::size_t) noexcept;

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
