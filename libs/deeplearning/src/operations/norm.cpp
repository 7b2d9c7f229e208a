#include <tapestry/deeplearning/operations/reduction/norm.hpp>

#include <cmath>
#include <span>
#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class T>
Tensor<T> norm(const Tensor<T>& x, const Axes& axes, bool keepDims) {
  static_cast<void>(axes.resolve(x.shape(), "norm"));
  Tensor<T> result = kernels::sum(kernels::multiply(x, x), axes, keepDims);
  for (T& value : std::span(result.exclusiveData(), result.size())) value = std::sqrt(value);
  return result;
}

template <class T>
Tensor<T> normDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Axes& axes) {
  Tensor<T> perLength = norm(x, axes, true);
  for (T& value : std::span(perLength.exclusiveData(), perLength.size())) value = value == 0 ? 0 : 1 / value;
  const Tensor<T> kept = withReducedAxes(delta, x.shape(), axes, "norm");
  return kernels::multiply(x, kernels::multiply(std::move(perLength), kept));
}

#define TAPESTRY_INSTANTIATE(T)                                 \
  template Tensor<T> norm(const Tensor<T>&, const Axes&, bool); \
  template Tensor<T> normDerivative(const Tensor<T>&, const Tensor<T>&, const Axes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
