#include <tapestry/tensor/kernels/attention.hpp>

#include <span>
#include <vector>

#include <tapestry/tensor/shape_error.hpp>

#include "kernels/layout/broadcasts.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

Shape attentionScoresShape(const Shape& q, const Shape& k) {
  const auto misfit = [&](std::string_view problem, std::string_view expected) {
    return ShapeError("scaledDotProductAttention", problem, toString(q) + " and " + toString(k), expected);
  };
  if (q.rank() < 2 || k.rank() < 2)
    throw misfit("queries and keys are not matrices", "[..., T, D] and [..., S, D]");
  if (q[q.rank() - 1] != k[k.rank() - 1])
    throw misfit("queries and keys differ in width", "[..., T, D] and [..., S, D]");
  const auto leading = [](const Shape& shape) { return Shape(std::span(shape.begin(), shape.rank() - 2)); };
  if (!broadcasts(leading(q), leading(k)))
    throw misfit("leading axes do not broadcast", "extents that are equal or 1 before the last two axes");
  const Shape stack = broadcast(leading(q), leading(k), "scaledDotProductAttention");
  std::vector<std::size_t> extents(stack.begin(), stack.end());
  extents.insert(extents.end(), {q[q.rank() - 2], k[k.rank() - 2]});
  return Shape(extents);
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
