#include "kernels/reduction/summation.hpp"

#include <algorithm>

#include <tapestry/tensor/tensor.hpp>

#include "kernels/elementwise/binary_loops.hpp"
#include "kernels/product/matrix_loops.hpp"
#include "kernels/rows/row_loops.hpp"

namespace tapestry::kernels {

template <class T>
Summation<T>::Summation(const Shape& shape, const std::bitset<Shape::maxRank>& summed) noexcept {
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] == 1) continue;
    if (count_ != 0 && axes_[count_ - 1].summed == summed[i])
      axes_[count_ - 1].extent *= shape[i];
    else
      axes_[count_++] = {shape[i], summed[i]};
  }
  if (count_ == 0) count_ = 1;
  for (std::size_t i = count_ - 1; i-- > 0;) {
    const Axis& inner = axes_[i + 1];
    axes_[i].stride = inner.stride * inner.extent;
    axes_[i].room = inner.summed ? inner.room : inner.room * inner.extent;
  }
}

template <class T>
void Summation<T>::runFrom(std::size_t axis, const T* x, T* out) const {
  const auto& [extent, summed, stride, room] = axes_[axis];
  const bool innermost = axis + 1 == count_;
  if (innermost && summed)
    *out = rowLoops<T>().sum(x, extent);
  else if (innermost)
    std::copy_n(x, extent, out);
  else if (summed)
    fold(axis, x, extent, out);
  else if (axis + 2 == count_)
    rowLoops<T>().sums(x, extent, stride, out);
  else
    for (std::size_t i = 0; i < extent; ++i) runFrom(axis + 1, x + i * stride, out + i * room);
}

template <class T>
void Summation<T>::fold(std::size_t axis, const T* x, std::size_t steps, T* out) const {
  constexpr std::size_t linear = 64;
  const auto& [extent, summed, stride, room] = axes_[axis];
  if (steps <= linear && axis + 2 == count_) return matrixLoops<T>().sumRows(x, steps, room, out);
  if (steps <= linear) {
    runFrom(axis + 1, x, out);
    for (std::size_t i = 1; i < steps; ++i) addStep(axis + 1, x + i * stride, out);
    return;
  }
  const std::size_t half = steps / 2;
  auto second = Tensor<T>::uninitialized({room});
  fold(axis, x, half, out);
  fold(axis, x + half * stride, steps - half, second.exclusiveData());
  binaryLoops<T>().add.both(out, second.data(), room, out);
}

template <class T>
void Summation<T>::addStep(std::size_t axis, const T* x, T* out) const {
  const std::size_t room = axes_[axis - 1].room;
  auto step = Tensor<T>::uninitialized({room});
  runFrom(axis, x, step.exclusiveData());
  binaryLoops<T>().add.both(out, step.data(), room, out);
}

template class Summation<float>;
template class Summation<double>;

}  // namespace tapestry::kernels
