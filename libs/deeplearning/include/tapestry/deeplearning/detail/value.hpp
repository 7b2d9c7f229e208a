// Defines the access of operations to data: norms, operands of kernels, derivatives as deltas.
#pragma once

#include <concepts>
#include <stdexcept>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/kernels/squared_norm.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// For clipByGlobalNorm. Throws std::logic_error for a user-defined gradient without squaredNorm().
template <class V>
double squaredNormOf(const V& gradient) {
  if constexpr (std::floating_point<V> || isHostTensor<V>) {
    return kernels::squaredNorm(gradient);
  } else if constexpr (requires { gradient.squaredNorm(); }) {
    return gradient.squaredNorm();
  } else if constexpr (hasParts<V>) {
    double sum = 0;
    mapParts(gradient, [&sum](const auto& part) { return sum += squaredNormOf(part); });
    return sum;
  } else {
    throw std::logic_error(
        "tapestry::clipByGlobalNorm: a gradient has no norm, got a user-defined type, expected scalars and "
        "tensors");
  }
}

/// For clipByGlobalNorm and trainMicroBatches. Throws std::logic_error for a user-defined gradient without
/// scaled(factor).
template <class V>
V scaledBy([[maybe_unused]] double factor, V gradient) {
  if constexpr (Numbers<V>)
    return kernels::scale(std::move(gradient), static_cast<ElementOf<V>>(factor));
  else if constexpr (requires { std::move(gradient).scaled(factor); })
    return std::move(gradient).scaled(factor);
  else if constexpr (hasParts<V>)
    return mapParts(std::move(gradient), [factor](auto part) { return scaledBy(factor, std::move(part)); });
  else
    throw std::logic_error(
        "tapestry::train: a gradient cannot be scaled, got a user-defined type, expected a type with "
        "scaled(factor)");
}

/// Returns the value as an operand of a kernel on Out: scalars take the element type of the other operand.
template <class Out, class A>
decltype(auto) operandFor(const A& value) {
  if constexpr (std::floating_point<A> && std::floating_point<Out>)
    return static_cast<Out>(value);
  else
    return (value);
}

/// Returns a scalar that has met a tensor as a tensor.
template <class Delta, class V>
auto asOperandOf(const Delta&, const V& value) {
  if constexpr (isTensor<Delta> && !isTensor<V>)
    return Delta::scalar(static_cast<ElementOf<Delta>>(value));
  else
    return value;
}

/// The result of a derivative for an operand to which no delta flows.
struct NoDelta {};

/// Whether a derivative may return D for an operand of type A: a delta, its tensors, a scalar to spread, or
/// NoDelta.
template <class D, class A>
concept DerivativeOf =
    std::same_as<D, NoDelta> || std::same_as<D, DeltaOf<A>> || (Numbers<A> && Numbers<D>) ||
    (!Numbers<A> && (std::constructible_from<DeltaOf<A>, D> || hasParts<D>));

/// Returns a derivative as a delta, which differs from it only in how its tensors are held.
template <class Delta, class D>
Delta deltaFrom(D derivative) {
  if constexpr (std::same_as<D, Delta>) {
    return derivative;
  } else if constexpr (isVector<D>) {
    return mapParts(std::move(derivative),
                    [](auto part) { return deltaFrom<typename Delta::value_type>(std::move(part)); });
  } else if constexpr (isTuple<D>) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return Delta{deltaFrom<std::tuple_element_t<i, Delta>>(std::get<i>(std::move(derivative)))...};
    }(std::make_index_sequence<std::tuple_size_v<D>>());
  } else {
    return Delta(std::move(derivative));
  }
}

/// Returns the sum or the mean of a tensor as a loss: as a double, or as a tensor of another library, whose
/// elements are not in host memory.
inline double lossOf(std::floating_point auto value) noexcept { return value; }
template <OwnKernels X>
X lossOf(X value) {
  return value;
}

/// Returns the delta of a mean divided by the number of terms.
inline double shareOf(double delta, std::size_t terms) noexcept { return delta / static_cast<double>(terms); }
template <OwnKernels X>
X shareOf(const X& delta, std::size_t terms) {
  return kernels::divide(delta, static_cast<typename X::Value>(terms));
}

/// Returns a tensor of type X and of the shape, all of whose elements are the delta.
template <class X>
X spreadLike(const X&, double delta, const Shape& shape) {
  return X::full(shape, static_cast<ElementOf<X>>(delta));
}
template <OwnKernels X>
X spreadLike(const X&, const X& delta, const Shape& shape) {
  return kernels::broadcastTo(delta, shape);
}

/// Returns a derivative as the delta of an operand of type A and of the given shape: summed where the operand
/// was broadcast, spread where it was reduced.
template <class A, class D>
DeltaOf<A> fitDelta(D delta, [[maybe_unused]] const Shape& shape) {
  if constexpr (!Numbers<A>)
    return deltaFrom<DeltaOf<A>>(std::move(delta));
  else if constexpr (OwnKernels<A> && std::same_as<D, A>)
    return delta.rank() < shape.rank() ? kernels::broadcastTo(delta, shape) : kernels::sumTo(delta, shape);
  else if constexpr (std::same_as<D, DeltaOf<A>>)
    return delta;
  else if constexpr (isTensor<A> && isTensor<D>)
    return kernels::sumTo(delta, shape);
  else if constexpr (isTensor<A>)
    return A::full(shape, static_cast<ElementOf<A>>(delta));
  else if constexpr (isHostTensor<D>)
    return static_cast<A>(kernels::sumTo(delta, Shape()).item());
  else if constexpr (OwnKernels<D>)
    throw std::logic_error(
        "tapestry::train: a scalar has met a tensor of a device, whose delta is not in host memory, expected "
        "a tensor of rank 0");
  else
    return static_cast<A>(delta);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
