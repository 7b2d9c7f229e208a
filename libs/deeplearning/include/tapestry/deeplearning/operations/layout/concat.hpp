// Defines concat, the concatenation of tensors along an axis.
#pragma once

#include <cstddef>
#include <optional>
#include <span>  // the concepts of ranges, without the views
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/named_for.hpp"
#include "tapestry/deeplearning/detail/node/range_node.hpp"
#include "tapestry/deeplearning/detail/node/shape_of_node.hpp"
#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/tensor/kernels/concat.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Its derivative remembers the extents of the operands along the axis.
template <class X>
class ConcatNode final : public RangeNode<X, std::vector<std::size_t>> {
  using Base = RangeNode<X, std::vector<std::size_t>>;
  using State = typename Base::State;
  using Base::operands_;

 public:
  using Data = X;
  using Delta = DeltaOf<Data>;

  /// Errors of shapes name `user`, a literal.
  ConcatNode(std::vector<Ref<GraphNode>> operands, std::ptrdiff_t axis, std::string_view user)
      : Base(std::move(operands)), axis_(axis), user_(user), known_(resultShape()) {
    this->dependOn(operands_, costOf(known_));
  }

  std::string_view name() const noexcept override { return "concat"; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void describe(extend::NodeDetails& details) const override {
    Base::describe(details);
    details.attributes = {{"axis", std::int64_t{axis_}}};
  }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    std::vector<X> parts;
    for (std::size_t i = 0; i < operands_.size(); ++i) parts.push_back(*state.template operand<Data>(i).data);
    state.data.emplace(naming(user_, [&] { return kernels::concat(parts, axis_); }));
    state.memory.clear();
    for (const auto& part : parts) state.memory.push_back(kernels::extentOf(part.shape(), axis_));
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    if (!state.delta) return;
    const X delta = denseOf(std::move(*state.delta));
    std::size_t first = 0;
    for (std::size_t i = 0; i < operands_.size(); first += state.memory[i++])
      if (auto& operand = state.template operand<Data>(i); operand.wantsDelta)
        operand.accept(
            Delta(kernels::read(delta, kernels::partOf(delta.shape(), axis_, first, state.memory[i]))));
  }

 private:
  std::optional<Shape> resultShape() const {
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const Shape* const shape = operands_[i]->knownShape();
      if (!shape) return std::nullopt;
      shapes.push_back(*shape);
    }
    return kernels::concatShape(shapes, axis_, user_);
  }

  std::ptrdiff_t axis_;
  std::string_view user_;
  [[no_unique_address]] KnownShape<Data> known_;
};

template <class R>
concept TensorRange = std::ranges::forward_range<const R> && Numeric<std::ranges::range_value_t<const R>> &&
                      isTensor<DataOf<std::ranges::range_value_t<const R>>> &&
                      requires(const std::vector<DataOf<std::ranges::range_value_t<const R>>>& parts) {
                        kernels::concat(parts, std::ptrdiff_t{0});
                      };

/// concat, whose errors name `user`, a literal.
template <TensorRange R>
auto concatFor(std::string_view user, const R& range, std::ptrdiff_t axis) {
  using Part = std::ranges::range_value_t<const R>;
  using Data = DataOf<Part>;
  if (std::ranges::begin(range) == std::ranges::end(range))
    throw std::invalid_argument("tapestry::" + std::string(user) +
                                ": the range is empty, got 0 tensors, expected at least 1");
  if constexpr (isLiteral<Part>) {
    const std::vector<Data> parts(std::ranges::begin(range), std::ranges::end(range));
    return naming(user, [&] { return kernels::concat(parts, axis); });
  } else {
    std::vector<Ref<GraphNode>> operands;
    for (const auto& part : range) operands.push_back(nodeOf(part));
    return Layer<Data>(makeRef<ConcatNode<Data>>(std::move(operands), axis, user));
  }
}

}  // namespace detail

/// Concatenates the tensors of a range of differentiables of one type along an axis, which counts from the
/// last if negative; each tensor gets its part of the delta. Layers are evaluated in parallel. Throws
/// std::invalid_argument for an empty range; ShapeError for an axis out of range, and for shapes that differ
/// in another axis, at the call if all shapes are known by then.
template <detail::TensorRange R>
auto concat(const R& range, std::ptrdiff_t axis = 0) {
  return detail::concatFor("concat", range, axis);
}

void concat(...) = delete;  // expected a range of Differentiable tensors, and maybe an axis

}  // namespace tapestry
#pragma GCC visibility pop
