// Defines asXtensor and fromXtensor, conversions between tensors and xtensor's expressions.
#pragma once

#include <vector>

#include <tapestry/tensor/tensor.hpp>
#include <tapestry/tensor/xtensor/detail/xtensor_header.hpp>

#include TAPESTRY_XTENSOR_CONTAINERS(xadapt.hpp)
#include TAPESTRY_XTENSOR_CORE(xnoalias.hpp)

#pragma GCC visibility push(default)
namespace tapestry {

/// A read-only xtensor expression over the tensor's own values, valid as long as a handle on the tensor
/// exists.
template <class T>
auto asXtensor(const Tensor<T>& tensor) {
  const std::vector<std::size_t> shape(tensor.shape().begin(), tensor.shape().end());
  return xt::adapt(tensor.data(), tensor.size(), xt::no_ownership(), shape);
}

template <class T>
auto asXtensor(Tensor<T>&& tensor) = delete;

/// Returns a new tensor that holds the expression's values, evaluated once.
template <class E>
Tensor<typename E::value_type> fromXtensor(const xt::xexpression<E>& expression) {
  const E& source = expression.derived_cast();
  const std::vector<std::size_t> shape(source.shape().begin(), source.shape().end());
  auto result = Tensor<typename E::value_type>::uninitialized(Shape(shape));
  auto target = xt::adapt(result.exclusiveData(), result.size(), xt::no_ownership(), shape);
  xt::noalias(target) = source;
  return result;
}

}  // namespace tapestry
#pragma GCC visibility pop
