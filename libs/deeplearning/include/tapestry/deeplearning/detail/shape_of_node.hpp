// Defines what is known of shapes: before a network runs (KnownShape), and while it does (ShapeFor).
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>

#include "tapestry/deeplearning/detail/typed_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"

namespace tapestry::detail {

/// A shape in memory of its own.
struct OwnShape : Pooled {
  explicit OwnShape(const Shape& extents) noexcept : shape(extents) {}
  const Shape shape;
};

/// The shape of an operand of type A, remembered for its delta; nothing for scalars.
template <class A>
class ShapeFor {
 public:
  void remember(const A&, const GraphNode&) noexcept {}
  static Shape get() noexcept { return {}; }
};
template <class T>
class ShapeFor<Tensor<T>> {
 public:
  /// `operand`, whose data the tensor is, must outlive this, which refers to the shape that is known of it. A
  /// rule for shapes of a user's operation may have been wrong.
  void remember(const Tensor<T>& tensor, const GraphNode& operand) {
    shape_ = static_cast<const TypedNode<Tensor<T>, TensorDelta<T>>&>(operand).knownShape();
    if (shape_ && *shape_ == tensor.shape()) return;
    own_ = std::make_unique<OwnShape>(tensor.shape());
    shape_ = &own_->shape;
  }
  const Shape& get() const noexcept { return *shape_; }

 private:
  const Shape* shape_ = nullptr;
  std::unique_ptr<OwnShape> own_;
};

/// The shape of a node's data, where it is known when the node is built. It may be that of an operand, which
/// outlives the node and is referred to then: shapes are large.
template <class Data>
class KnownShape {
 public:
  KnownShape(const std::optional<Shape>&, std::initializer_list<const Shape*> = {}) noexcept {}
  static const Shape* get() noexcept { return nullptr; }
};
template <class T>
class KnownShape<Tensor<T>> {
 public:
  KnownShape(const std::optional<Shape>& shape, std::initializer_list<const Shape*> operands = {}) {
    if (!shape) return;
    for (const Shape* operand : operands)
      if (*operand == *shape) {
        shape_ = operand;
        return;
      }
    own_ = std::make_unique<OwnShape>(*shape);
    shape_ = &own_->shape;
  }
  const Shape* get() const noexcept { return shape_; }

 private:
  const Shape* shape_ = nullptr;
  std::unique_ptr<OwnShape> own_;
};

template <class Data, class Delta>
const Shape* shapeOf(const TypedNode<Data, Delta>& node) noexcept {
  static constexpr Shape scalar;
  if constexpr (std::floating_point<Data>)
    return &scalar;
  else
    return node.knownShape();
}

/// The operation's result shape, if those of all operands are known. Throws ShapeError if they do not fit.
template <class Data, class Op, class... Nodes>
std::optional<Shape> resultShape(const Op& operation, const Nodes&... operands) {
  if constexpr (isTensor<Data> || (... || isTensor<typename Nodes::Data>)) {
    if ((... && shapeOf(operands))) return operation.shapes.of(Op::name, *shapeOf(operands)...);
  }
  return std::nullopt;
}

/// In ns, forward and backward: some overhead, and a pass over memory or two.
template <class Data>
float costOf(const KnownShape<Data>& known) noexcept {
  return 300 + (known.get() ? static_cast<float>(known.get()->size()) : 0);
}

template <class Op, class Data>
float operationCost(const Op& operation, const KnownShape<Data>& known, const Shape* a,
                    const Shape* b) noexcept {
  if constexpr (requires { operation.shapes.cost(a, b); })
    return operation.shapes.cost(a, b);
  else
    return costOf(known);
}

}  // namespace tapestry::detail
