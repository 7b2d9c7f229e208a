// Defines concat, tensors one after the other along an axis.
#pragma once

#include <cstddef>
#include <ranges>
#include <stdexcept>
#include <vector>

#include "tapestry/deeplearning/detail/node/concat_node.hpp"
#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/deeplearning/numeric.hpp"

namespace tapestry {

namespace detail {

template <class R>
concept TensorRange = std::ranges::forward_range<const R> && Numeric<std::ranges::range_value_t<const R>> &&
                      isTensor<DataOf<std::ranges::range_value_t<const R>>>;

}  // namespace detail

/// The tensors of a range of differentiables of one type, one after the other along an axis, which counts
/// from the last if negative; each gets its part of the delta. Layers are evaluated in parallel. Throws
/// std::invalid_argument for an empty range; ShapeError for an axis out of range, and for shapes that differ
/// beside the axis, when the range is given if all are known by then.
template <detail::TensorRange R>
auto concat(const R& range, std::ptrdiff_t axis = 0) {
  using Part = std::ranges::range_value_t<const R>;
  using Data = DataOf<Part>;
  using Node = detail::ConcatNode<typename Data::Value>;
  if (std::ranges::empty(range))
    throw std::invalid_argument("tapestry::concat: the range is empty, got 0 tensors, expected at least 1");
  if constexpr (isLiteral<Part>) {
    return Node::apply("concat", std::vector<Data>(std::ranges::begin(range), std::ranges::end(range)), axis);
  } else {
    std::vector<detail::Ref<detail::GraphNode>> operands;
    for (const auto& part : range) operands.push_back(nodeOf(part));
    using Base = typename Layer<Data>::Node;
    return Layer<Data>(detail::Ref<Base>(detail::makeRef<Node>("concat", std::move(operands), axis)));
  }
}

void concat(...) = delete;  // expected a range of Differentiable tensors, and maybe an axis

}  // namespace tapestry
