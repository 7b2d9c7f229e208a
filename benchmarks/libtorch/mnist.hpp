// Defines mnist, the network of the rows mnist_* in libtorch.
#pragma once

#include "compare/side.hpp"
#include "work/mnist.hpp"

namespace tapestry::benchmarks::libtorch {

/// The work must outlive it.
Side mnist(const MnistWork& work, unsigned threads);

}  // namespace tapestry::benchmarks::libtorch
