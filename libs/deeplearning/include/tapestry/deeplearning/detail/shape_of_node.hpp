// Defines what is known of shapes: before a network runs (KnownShape), and while it does (ShapeFor).
#pragma once

#include <optional>

#include "tapestry/deeplearning/detail/typed_node.hpp"
#include "tapestry/deeplearning/detail/value.hpp"

namespace tapestry::detail {

/// The shape of an operand of type A, remembered for its delta; nothing for scalars.
template <class A>
class ShapeFor {
 public:
  ShapeFor() noexcept = default;
  explicit ShapeFor(const A&) noexcept {}
  static Shape get() noexcept { return {}; }
};
template <class T>
class ShapeFor<Tensor<T>> {
 public:
  ShapeFor() noexcept = default;
  explicit ShapeFor(const Tensor<T>& tensor) noexcept : shape_(tensor.shape()) {}
  const Shape& get() const noexcept { return shape_; }

 private:
  Shape shape_;
};

/// The shape of a node's data, where it is known when the node is built.
template <class Data>
class KnownShape {
 public:
  KnownShape(std::optional<Shape>) noexcept {}
  static const Shape* get() noexcept { return nullptr; }
};
template <class T>
class KnownShape<Tensor<T>> {
 public:
  KnownShape(std::optional<Shape> shape) noexcept : shape_(std::move(shape)) {}
  const Shape* get() const noexcept { return shape_ ? &*shape_ : nullptr; }

 private:
  std::optional<Shape> shape_;
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
