// Defines LinearCombination, the scaled sum of a range of nodes, as a node.
#pragma once

#include <cstddef>
#include <optional>
#include <span>  // the concepts of ranges, without the views
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/detail/node/range_node.hpp"
#include "tapestry/deeplearning/detail/node/shape_of_node.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// y = factor * (x_1 + ... + x_n), added up in the order of the range; dy/dx_i = factor. All x have one
/// shape.
template <class DataT>
class LinearCombination final : public RangeNode<DataT> {
  using State = RangeState<DataT>;
  using RangeNode<DataT>::operands_;

 public:
  using Data = DataT;
  using Delta = DeltaOf<Data>;

  LinearCombination(const char* name, std::vector<Ref<GraphNode>> operands, double factor)
      : RangeNode<Data>(std::move(operands)),
        name_(name),
        factor_(static_cast<ElementOf<Data>>(factor)),
        known_(commonShape()) {
    this->dependOn(operands_, 300);
  }

  std::string_view name() const noexcept override { return name_; }
  const Shape* knownShape() const noexcept override { return known_.get(); }

  void describe(extend::NodeDetails& details) const override {
    RangeNode<Data>::describe(details);
    details.attributes = {{"factor", static_cast<double>(factor_)}};
  }

  void compute(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    Data total = data(state, 0);
    for (std::size_t i = 1; i < operands_.size(); ++i) {
      if constexpr (isTensor<Data>) requireEqual(total.shape(), data(state, i).shape());
      total = kernels::add(std::move(total), data(state, i));
    }
    state.data.emplace(kernels::scale(std::move(total), factor_));
  }

  void derive(NodeState& base) override {
    auto& state = static_cast<State&>(base);
    if (!state.delta) return;
    const auto delta = kernels::scale(denseOf(std::move(*state.delta)), factor_);
    for (NodeState* operand : state.operands)
      if (operand->wantsDelta) static_cast<TypedState<Data, Delta>*>(operand)->accept(Delta(delta));
  }

 private:
  void requireEqual(const Shape& a, const Shape& b) const {
    if (a != b)
      throw ShapeError(name_, "the shapes differ", toString(a) + " and " + toString(b),
                       "layers of one shape");
  }

  /// Returns the shape of all operands if the shape of any operand is known.
  std::optional<Shape> commonShape() const {
    std::optional<Shape> common;
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (const Shape* const shape = operands_[i]->knownShape()) {
        if (common) requireEqual(*common, *shape);
        common = *shape;
      }
    return common;
  }

  static const Data& data(State& state, std::size_t index) {
    return *state.template operand<Data>(index).data;
  }

  const char* name_;
  ElementOf<Data> factor_;
  [[no_unique_address]] KnownShape<Data> known_;
};

template <class R>
concept LayerRange = std::ranges::forward_range<const R> && Numeric<std::ranges::range_value_t<const R>>;

template <LayerRange R>
auto linearCombination(const char* operation, const R& range, double factor) {
  using Data = DataOf<std::ranges::range_value_t<const R>>;
  std::vector<Ref<GraphNode>> operands;
  for (const auto& layer : range) operands.push_back(nodeOf(layer));
  if (operands.empty())
    throw std::invalid_argument("tapestry::" + std::string(operation) +
                                ": the range is empty, got 0 layers, expected at least 1");
  return Layer<Data>(makeRef<LinearCombination<Data>>(operation, std::move(operands), factor));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
