#include "tapestry/deeplearning/operations/product/affine.hpp"

#include <utility>

#include "tapestry/deeplearning/operations/product/matmul.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"

namespace tapestry::detail {

namespace {

constexpr MatmulShapes asTheyAre{Transpose::no, Transpose::no};

}  // namespace

template <class T>
Tensor<T> affine(const Tensor<T>& x, const Tensor<T>& w, const Tensor<T>& b) {
  return kernels::affine(x, w, b, "affine");
}

template <class T>
AffineNode<T>::AffineNode(Ref<Operand> x, Ref<Operand> w, Ref<Operand> b)
    : OperationNode<State>({std::move(x), std::move(w), std::move(b)}) {
  const auto shapeOfOperand = [this](std::size_t i) {
    return static_cast<const Operand&>(*this->operands_[i]).knownShape();
  };
  const Shape* const shapeX = shapeOfOperand(0);
  const Shape* const shapeW = shapeOfOperand(1);
  const Shape* const shapeB = shapeOfOperand(2);
  if (shapeX && shapeW) {
    const Shape product = asTheyAre.of(name(), *shapeX, *shapeW);
    if (shapeB) {
      kernels::requireBroadcast("affine", *shapeB, product);
      known_ = product;
    }
  }
  this->addCost(asTheyAre.cost(shapeX, shapeW) + (known_ ? static_cast<float>(known_->size()) : 0));
}

template <class T>
void AffineNode<T>::compute(NodeState& base) {
  auto& state = static_cast<State&>(base);
  const auto data = [&](std::size_t i) -> const Tensor<T>& {
    return *state.template as<OperandState>(i).data;
  };
  state.data.emplace(affine(data(0), data(1), data(2)));
}

template <class T>
void AffineNode<T>::derive(NodeState& base) {
  auto& state = static_cast<State&>(base);
  if (!state.delta) return;
  auto& x = state.template as<OperandState>(0);
  auto& w = state.template as<OperandState>(1);
  auto& b = state.template as<OperandState>(2);
  Tensor<T> delta = std::move(*state.delta).dense();
  if (x.wantsDelta) x.accept(matmulDerivativeLeft(delta, *x.data, *w.data, asTheyAre));
  if (b.wantsDelta) b.accept(kernels::sumTo(delta, (*b.data).shape()));
  if (w.wantsDelta) w.accept(matmulDerivativeRight(std::move(delta), *x.data, *w.data, asTheyAre));
}

template Tensor<float> affine(const Tensor<float>&, const Tensor<float>&, const Tensor<float>&);
template Tensor<double> affine(const Tensor<double>&, const Tensor<double>&, const Tensor<double>&);
template class AffineNode<float>;
template class AffineNode<double>;

}  // namespace tapestry::detail
