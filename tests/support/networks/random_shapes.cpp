#include "support/networks/random_shapes.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace tapestry::test {

Shape drawShape(Random& random, std::size_t least, std::size_t most) {
  std::vector<std::size_t> extents(least + random.below(most - least + 1));
  std::size_t size = 1;
  for (std::size_t& extent : extents) {
    extent = random.below(25) == 0 ? 0 : 1 + random.below(size < 12 ? 3 : size < 24 ? 2 : 1);
    size *= extent;
  }
  // Not always the last ones are 1.
  std::rotate(extents.begin(),
              extents.begin() + static_cast<std::ptrdiff_t>(random.below(extents.size() + 1)), extents.end());
  return Shape(extents);
}

Shape drawFilledShape(Random& random, std::size_t least, std::size_t most) {
  for (;;)
    if (const Shape shape = drawShape(random, least, most); shape.size() != 0) return shape;
}

std::ptrdiff_t drawAxis(Random& random, std::size_t rank) {
  return static_cast<std::ptrdiff_t>(random.below(2 * rank)) - static_cast<std::ptrdiff_t>(rank);
}

Axes drawAxes(Random& random, std::size_t rank) {
  std::vector<std::ptrdiff_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  for (std::size_t i = rank; i > 1; --i) std::swap(axes[i - 1], axes[random.below(i)]);
  axes.resize(1 + random.below(rank));
  for (std::ptrdiff_t& axis : axes)
    if (random.below(2) == 0) axis -= static_cast<std::ptrdiff_t>(rank);
  return Axes(std::span<const std::ptrdiff_t>(axes));
}

Indices drawIndices(Random& random, std::size_t extent) {
  const Shape shape = extent == 0 ? Shape{0} : drawShape(random, 0, 2);
  std::vector<std::int64_t> values(shape.size());
  for (std::int64_t& value : values) value = drawAxis(random, extent);
  return Indices(shape, values);
}

Tensor<double> drawApart(Random& random, const Shape& shape) {
  auto result = Tensor<double>::uninitialized(shape);
  double* const values = result.exclusiveData();
  for (std::size_t i = 0; i < result.size(); ++i) {
    values[i] = 0.1 * (static_cast<double>(i) - static_cast<double>(result.size() / 2)) + 0.05;
    std::swap(values[i], values[random.below(i + 1)]);
  }
  return result;
}

}  // namespace tapestry::test
