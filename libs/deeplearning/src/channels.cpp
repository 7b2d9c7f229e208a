#include "tapestry/deeplearning/detail/channels.hpp"

#include <span>
#include <vector>

#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

Channels channelsOf(std::string_view name, const Shape& x, const Shape& perChannel) {
  if (x.rank() < 2 || perChannel != Shape{x[1]})
    throw ShapeError(name, "the channels differ", toString(x) + " and " + toString(perChannel),
                     "[N, C, ...] and [C]");
  std::vector<std::ptrdiff_t> others;
  std::vector<std::size_t> broadcast{x[1]};
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    if (axis != 1) others.push_back(static_cast<std::ptrdiff_t>(axis));
    if (axis > 1) broadcast.push_back(1);
  }
  const std::size_t values = x[1] == 0 ? 0 : x.size() / x[1];
  return {Axes(std::span<const std::ptrdiff_t>(others)), Shape(std::span<const std::size_t>(broadcast)),
          values};
}

}  // namespace tapestry::detail
