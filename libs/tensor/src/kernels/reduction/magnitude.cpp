#include <tapestry/tensor/kernels/magnitude.hpp>

#include <concepts>
#include <cstddef>

#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Returns the largest absolute value, NaN if there is one.
// As integers, absolute values are ordered as the numbers are, with NaN above inf.
template <class T>
T magnitudeLoop(const T* x, std::size_t n) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<hn::ScalableTag<T>> bits;
  const std::size_t lanes = hn::Lanes(d);
  const auto at = [&](std::size_t i) { return hn::BitCast(bits, hn::Abs(hn::LoadU(d, x + i))); };
  auto m0 = hn::Zero(bits);
  auto m1 = m0;
  auto m2 = m0;
  auto m3 = m0;
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    m0 = hn::Max(m0, at(i));
    m1 = hn::Max(m1, at(i + lanes));
    m2 = hn::Max(m2, at(i + 2 * lanes));
    m3 = hn::Max(m3, at(i + 3 * lanes));
  }
  for (; i + lanes <= n; i += lanes) m0 = hn::Max(m0, at(i));
  if (i < n) m1 = hn::Max(m1, hn::BitCast(bits, hn::Abs(loadFirst(d, x + i, n - i))));
  const auto largest = hn::Max(hn::Max(m0, m1), hn::Max(m2, m3));
  return hn::GetLane(hn::BitCast(d, hn::MaxOfLanes(bits, largest)));
}

TAPESTRY_EXPORT_LOOP(magnitudeLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(magnitudeLoop)

template <class T>
T magnitude(const Tensor<T>& x) {
  const auto find = [&x] { return magnitudeLoop<T>()(x.data(), x.size()); };
  if constexpr (std::same_as<T, float>) {
    if (x.block_ == nullptr || x.racing()) return find();
    // relaxed: threads that compute it at once find the same value, and it publishes no other memory
    const float known = x.block_->magnitude.load(std::memory_order_relaxed);
    if (!(known < 0)) return known;
    const float found = find();
    x.block_->magnitude.store(found, std::memory_order_relaxed);
    return found;
  } else {
    return find();
  }
}

template float magnitude(const Tensor<float>&);
template double magnitude(const Tensor<double>&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
