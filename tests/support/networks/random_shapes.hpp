// Defines drawShape and what goes with it: shapes, axes and indices of small tensors, drawn at random.
#pragma once

#include <cstddef>

#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/indices.hpp"
#include "tensor/kernels/support.hpp"

namespace tapestry::test {

/// A shape of a rank from `least` to `most`, with extents of 0 (rarely) and 1 (often), and few elements.
Shape drawShape(Random& random, std::size_t least = 0, std::size_t most = 5);
/// The same without extents of 0.
Shape drawFilledShape(Random& random, std::size_t least = 0, std::size_t most = 5);

/// One of `rank` axes, counted from either end.
std::ptrdiff_t drawAxis(Random& random, std::size_t rank);
/// One or more of them.
Axes drawAxes(Random& random, std::size_t rank);

/// Along an axis of that extent, from either end; none of them if it is 0.
Indices drawIndices(Random& random, std::size_t extent);

/// No two elements are so close that a step changes which one is larger, and none is close to 0.
Tensor<double> drawApart(Random& random, const Shape& shape);

}  // namespace tapestry::test
