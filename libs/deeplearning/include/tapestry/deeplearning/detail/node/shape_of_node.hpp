// Defines KnownShape, a shape known before a network runs, and ShapeFor, a shape remembered while it runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "tapestry/continuation/extend/node.hpp"
#include "tapestry/deeplearning/detail/node/typed_state.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A reference to an equal shape elsewhere or, if there is none, to a copy of its own: shapes are large.
class ShapeLink {
 public:
  ShapeLink() noexcept = default;
  ShapeLink(const ShapeLink&) = delete;
  ShapeLink& operator=(const ShapeLink&) = delete;
  ~ShapeLink() { reset(); }

  /// Null before it is set.
  const Shape* get() const noexcept {
    return isOwn() ? &own()->shape : reinterpret_cast<const Shape*>(bits_);
  }
  /// Refers to the first of the others that equals the shape, and that must outlive this; copies the shape if
  /// there is none. Null pointers are skipped.
  void set(const Shape& shape, std::initializer_list<const Shape*> others) {
    const auto equal =
        std::ranges::find_if(others, [&](const Shape* other) { return other && *other == shape; });
    const bool copies = equal == others.end();
    const void* const target = copies ? static_cast<const void*>(new Own(shape)) : *equal;
    reset();
    bits_ = reinterpret_cast<std::uintptr_t>(target) | (copies ? ownBit : 0);
  }

 private:
  struct Own : Pooled {
    explicit Own(const Shape& extents) noexcept : shape(extents) {}
    const Shape shape;
  };
  static constexpr std::uintptr_t ownBit = 1;
  static_assert(alignof(Shape) > ownBit && alignof(Own) > ownBit);

  bool isOwn() const noexcept { return bits_ & ownBit; }
  Own* own() const noexcept { return reinterpret_cast<Own*>(bits_ ^ ownBit); }
  void reset() noexcept {
    if (isOwn()) delete own();
  }

  std::uintptr_t bits_ = 0;
};

/// The shape of an operand of type A, remembered for its delta; nothing for scalars.
template <class A>
class ShapeFor {
 public:
  void remember(const A&, const GraphNode&) noexcept {}
  static Shape get() noexcept { return {}; }
};
template <class A>
  requires isTensor<A>
class ShapeFor<A> {
 public:
  /// `operand`, whose data the tensor is, must outlive this, which refers to the known shape of the operand.
  /// The known shape may be wrong if it is from a rule for shapes of a user's operation.
  void remember(const A& tensor, const GraphNode& operand) {
    shape_.set(tensor.shape(), {operand.knownShape()});
  }
  const Shape& get() const noexcept { return *shape_.get(); }

 private:
  ShapeLink shape_;
};

/// The shape of a node's data, if it is known when the node is built. If it is the shape of an operand, which
/// outlives the node, it refers to that.
template <class Data>
class KnownShape {
 public:
  KnownShape(const std::optional<Shape>&, std::initializer_list<const Shape*> = {}) noexcept {}
  static const Shape* get() noexcept { return nullptr; }
};
template <class Data>
  requires isTensor<Data>
class KnownShape<Data> {
 public:
  KnownShape(const std::optional<Shape>& shape, std::initializer_list<const Shape*> operands = {}) {
    if (shape) shape_.set(*shape, operands);
  }
  const Shape* get() const noexcept { return shape_.get(); }

 private:
  ShapeLink shape_;
};

/// The shape of a node's data, which have the type Data; null if it is not known.
template <class Data>
const Shape* shapeOf(const GraphNode& node) noexcept {
  static constexpr Shape scalar;
  if constexpr (std::floating_point<Data>)
    return &scalar;
  else
    return node.knownShape();
}

/// Returns the operation's result shape if the shapes of all operands are known; unknown shapes are null.
/// Throws ShapeError if they do not fit; for a rule with `requireSome`, also if the known shapes do not fit
/// each other.
template <class Data, class... As, class Op, class... Shapes>
std::optional<Shape> resultShape(const Op& operation, const Shapes*... operands) {
  if constexpr (isTensor<Data> || (... || isTensor<As>)) {
    if ((... && operands)) return operation.shapes.of(Op::name, *operands...);
    if constexpr (requires { operation.shapes.requireSome(Op::name, operands...); })
      operation.shapes.requireSome(Op::name, operands...);
  }
  return std::nullopt;
}

/// The cost of forward and backward in ns: some overhead, and one or two passes over memory.
template <class Data>
float costOf(const KnownShape<Data>& known) noexcept {
  return 300 + (known.get() ? static_cast<float>(known.get()->size()) : 0);
}

/// The same, or the cost given by the operation's rule for shapes, whose exceptions it throws; unknown shapes
/// are null.
template <class Op, class Data, class... Shapes>
float operationCost(const Op& operation, const KnownShape<Data>& known, const Shapes*... operands) {
  if constexpr (requires { operation.shapes.cost(operands...); })
    return operation.shapes.cost(operands...);
  else
    return costOf(known);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
