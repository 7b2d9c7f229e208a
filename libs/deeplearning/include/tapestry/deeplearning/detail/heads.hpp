// Defines splitHeads and joinHeads, which divide rows among heads and join them again.
#pragma once

#include <cstddef>
#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/view.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Maps [..., T, heads * D] to [..., heads, T, D].
struct SplitShapes {
  std::size_t heads;
  Shape of(std::string_view name, const Shape& from) const;
  extend::Attributes attributes() const {
    return {{"part", std::string("split")}, {"heads", static_cast<std::int64_t>(heads)}};
  }
};
/// Maps [..., heads, T, D] to [..., T, heads * D].
struct JoinShapes {
  static Shape of(std::string_view name, const Shape& from);
  static extend::Attributes attributes() { return {{"part", std::string("join")}}; }
};

/// Swaps the two axes before the last: [..., A, B, D] to [..., B, A, D].
kernels::View swappedRows(const Shape& from);

template <class X>
  requires isTensor<X>
X split(const X& x, std::size_t heads) {
  const Shape to = SplitShapes{heads}.of("multiHeadAttention", x.shape());
  const Shape rows = swappedRows(to).shape;
  return kernels::read(x.reshape(rows), swappedRows(rows));
}
template <class X>
  requires isTensor<X>
X join(const X& x) {
  return kernels::read(x, swappedRows(x.shape())).reshape(JoinShapes::of("multiHeadAttention", x.shape()));
}

/// The delta is joined again.
template <Differentiable A>
auto splitHeads(const A& x, std::size_t heads) {
  const auto operation = unaryOperation<"multiHeadAttention", Keep::nothing>(
      [=](const auto& value) { return split(value, heads); }, [](const auto& delta) { return join(delta); },
      SplitShapes{heads});
  return operation(x);
}

/// The delta is split again.
template <Differentiable A>
auto joinHeads(const A& x, std::size_t heads) {
  const auto operation = unaryOperation<"multiHeadAttention", Keep::nothing>(
      [](const auto& value) { return join(value); }, [=](const auto& delta) { return split(delta, heads); },
      JoinShapes());
  return operation(x);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
