// Defines affine, the product of rows and a matrix plus a bias, as one operation.
#pragma once

#include <optional>
#include <string_view>

#include "tapestry/deeplearning/detail/node/operation_node.hpp"
#include "tapestry/deeplearning/numeric.hpp"

namespace tapestry {

namespace detail {

template <class T>
Tensor<T> affine(const Tensor<T>& x, const Tensor<T>& w, const Tensor<T>& b);

template <class T>
class AffineNode final : public OperationNode<OperationState<Tensor<T>, TensorDelta<T>, 3>> {
  using State = OperationState<Tensor<T>, TensorDelta<T>, 3>;
  using Operand = TypedNode<Tensor<T>, TensorDelta<T>>;
  using OperandState = TypedState<Tensor<T>, TensorDelta<T>>;

 public:
  AffineNode(Ref<Operand> x, Ref<Operand> w, Ref<Operand> b);

  std::string_view name() const noexcept override { return "affine"; }
  Keep keep() const noexcept override { return Keep::operands; }
  const Shape* knownShape() const noexcept override { return known_ ? &*known_ : nullptr; }
  void compute(NodeState& state) override;
  void derive(NodeState& state) override;

 private:
  std::optional<Shape> known_;
};

extern template class AffineNode<float>;
extern template class AffineNode<double>;

}  // namespace detail

/// z = x · w + b: matmul(x, w) + b to the last bit, where b broadcasts to the product. dx = delta · wᵀ, dw =
/// xᵀ · delta, db = the sum of delta over the rows. Keeps its operands, b too, until the deltas have flowed
/// back. Shapes that do not fit are a ShapeError, when the expression is built if they are known by then.
template <class X, class W, class B>
  requires Meeting<X, W> && Meeting<X, B> && detail::isTensor<DataOf<X>> && detail::isTensor<DataOf<W>> &&
           detail::isTensor<DataOf<B>>
auto affine(const X& x, const W& w, const B& b) {
  using Data = DataOf<X>;
  if constexpr (isLiteral<X> && isLiteral<W> && isLiteral<B>)
    return detail::affine(x, w, b);
  else
    return Layer<Data>(detail::Ref<typename Layer<Data>::Node>(
        detail::makeRef<detail::AffineNode<detail::ElementOf<Data>>>(nodeOf(x), nodeOf(w), nodeOf(b))));
}

void affine(...) = delete;  // expected Differentiable tensors of one element type: x, weight, bias

}  // namespace tapestry
