#include "tapestry/deeplearning/operations/regularization/batch_norm.hpp"

#include <utility>

#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

namespace {

/// Returns the state of a running average in the pass: its value, and its place for observations.
template <class T>
TypedState<Tensor<T>, Observations<T>>& stateOf(const RunningAverage<Tensor<T>>& average, Pass& pass) {
  return static_cast<TypedState<Tensor<T>, Observations<T>>&>(average.node()->stateIn(pass));
}

template <class T>
void observe(const RunningAverage<Tensor<T>>& average, Pass& pass, const Tensor<T>& value) {
  auto& state = stateOf(average, pass);
  if (state.wantsDelta) state.accept({value});
}

}  // namespace

Shape BatchShapes::of(std::string_view name, const Shape& x) const {
  channelsOf(name, x, mean);
  channelsOf(name, x, variance);
  return x;
}

template <class T>
Tensor<T> StandardizeBatch<T>::forward(const Tensor<T>& x, Pass& pass, Memory& memory) const {
  const auto channels = channelsOf(name, shapes.of(name, x.shape()), shapes.mean);
  const auto spread = [&](const Tensor<T>& perChannel) { return perChannel.reshape(channels.broadcast); };
  const auto scaleOf = [&](const Tensor<T>& variance) {
    return kernels::divide(T(1), kernels::sqrt(kernels::add(variance, static_cast<T>(epsilon))));
  };
  if (pass.mode() == Mode::predict) {
    const auto distance = kernels::subtract(x, spread(*stateOf(statistics.mean, pass).data));
    memory.scale = spread(scaleOf(*stateOf(statistics.variance, pass).data));
    memory.y = kernels::multiply(distance, memory.scale);
    return memory.y;
  }
  if (channels.values < 2)
    throw ShapeError(name, "a channel has no variance", toString(x.shape()),
                     "at least two values in each channel of a batch that trains");
  const auto mean = kernels::mean(x, channels.others, false);
  const auto distance = kernels::subtract(x, spread(mean));
  const auto variance = kernels::mean(kernels::multiply(distance, distance), channels.others, false);
  const auto n = static_cast<T>(channels.values);
  observe(statistics.mean, pass, mean);
  observe(statistics.variance, pass, kernels::scale(variance, n / (n - 1)));
  memory.scale = spread(scaleOf(variance));
  memory.y = kernels::multiply(distance, memory.scale);
  memory.ofTheBatch = true;
  return memory.y;
}

template <class T>
Tensor<T> StandardizeBatch<T>::derivative(Tensor<T> delta, const Memory& memory) const {
  if (!memory.ofTheBatch) return kernels::multiply(std::move(delta), memory.scale);
  const auto channels = channelsOf(name, delta.shape(), shapes.mean);
  const auto mean = [&](const Tensor<T>& value) {
    return kernels::mean(value, channels.others, false).reshape(channels.broadcast);
  };
  const auto along = kernels::multiply(memory.y, mean(kernels::multiply(delta, memory.y)));
  const auto shift = mean(delta);
  return kernels::multiply(kernels::subtract(kernels::subtract(std::move(delta), shift), along),
                           memory.scale);
}

template struct StandardizeBatch<float>;
template struct StandardizeBatch<double>;

}  // namespace tapestry::detail
