// Defines DrawnPooling, a window that moves over planes, drawn at random, and the shape of the planes.
#pragma once

#include <cstddef>
#include <vector>

#include "support/networks/random_shapes.hpp"
#include "tapestry/tensor/kernels/pooling.hpp"

namespace tapestry::test {

struct DrawnPooling {
  kernels::Pooling pooling;
  Shape planes;

  static DrawnPooling draw(Random& random) {
    const auto some = [&](std::size_t least, std::size_t choices) { return least + random.below(choices); };
    const HeightWidth window{some(1, 3), some(1, 3)};
    const kernels::Pooling pooling{.window = window,
                                   .stride = {some(0, 4), some(0, 4)},
                                   .padding = {random.below(window.height), random.below(window.width)}};
    const Shape stack = drawShape(random, 0, 3);
    std::vector<std::size_t> extents(stack.begin(), stack.end());
    if (stack.size() > 3) extents = {2};
    extents.push_back(some(window.height, 3) - pooling.padding.height);
    extents.push_back(some(window.width, 3) - pooling.padding.width);
    return {pooling, Shape(extents)};
  }
};

}  // namespace tapestry::test
