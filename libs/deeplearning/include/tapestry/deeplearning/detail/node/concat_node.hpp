// Defines ConcatNode, tensors one after the other along an axis, as a node.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/node/operation_node.hpp"
#include "tapestry/deeplearning/detail/node/shape_of_node.hpp"
#include "tapestry/tensor/kernels/concat.hpp"

namespace tapestry::detail {

template <class T>
struct ConcatState final : OperationState<Tensor<T>, TensorDelta<T>, std::dynamic_extent> {
  using OperationState<Tensor<T>, TensorDelta<T>, std::dynamic_extent>::OperationState;

  std::vector<std::size_t> extents;  ///< of the operands, along the axis
};

template <class T>
class ConcatNode final : public OperationNode<ConcatState<T>> {
  using State = ConcatState<T>;
  using OperationNode<State>::operands_;

 public:
  using Data = Tensor<T>;
  using Delta = DeltaOf<Data>;

  ConcatNode(const char* name, std::vector<Ref<GraphNode>> operands, std::ptrdiff_t axis)
      : OperationNode<State>(std::move(operands)), name_(name), axis_(axis), known_(resultShape()) {
    this->addCost(costOf(known_));
  }

  std::string_view name() const noexcept override { return name_; }
  Keep keep() const noexcept override { return Keep::nothing; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    std::vector<Tensor<T>> parts;
    for (std::size_t i = 0; i < operands_.size(); ++i) parts.push_back(*state.template as<Operand>(i).data);
    state.data.emplace(apply(name_, parts, axis_));
    state.extents.clear();
    for (const auto& part : parts) state.extents.push_back(kernels::extentOf(part.shape(), axis_));
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    if (!state.delta) return;
    const Tensor<T> delta = denseOf(std::move(*state.delta));
    std::size_t first = 0;
    for (std::size_t i = 0; i < operands_.size(); first += state.extents[i++])
      if (auto& operand = state.template as<Operand>(i); operand.wantsDelta)
        operand.accept(
            Delta(kernels::read(delta, kernels::partOf(delta.shape(), axis_, first, state.extents[i]))));
  }

  static Tensor<T> apply(const char* name, const std::vector<Tensor<T>>& parts, std::ptrdiff_t axis) {
    std::vector<Shape> shapes;
    for (const auto& part : parts) shapes.push_back(part.shape());
    auto whole = Tensor<T>::uninitialized(kernels::concatShape(shapes, axis, name));
    std::size_t first = 0;
    for (const auto& part : parts) {
      const std::size_t extent = kernels::extentOf(part.shape(), axis);
      kernels::write(whole, part, kernels::partOf(whole.shape(), axis, first, extent));
      first += extent;
    }
    return whole;
  }

 private:
  using Operand = TypedState<Data, Delta>;

  std::optional<Shape> resultShape() const {
    std::vector<Shape> shapes;
    for (const auto& operand : operands_) {
      const Shape* shape = static_cast<const TypedNode<Data, Delta>&>(*operand).knownShape();
      if (!shape) return std::nullopt;
      shapes.push_back(*shape);
    }
    return kernels::concatShape(shapes, axis_, name_);
  }

  const char* name_;
  std::ptrdiff_t axis_;
  [[no_unique_address]] KnownShape<Data> known_;
};

}  // namespace tapestry::detail
