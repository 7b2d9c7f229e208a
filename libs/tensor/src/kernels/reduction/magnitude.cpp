#include <tapestry/tensor/kernels/magnitude.hpp>

#include "kernels/rows/row_loops.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

template <class T>
T magnitude(const Tensor<T>& x) {
  const auto find = [&x] { return rowLoops<T>().magnitude(x.data(), x.size()); };
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
