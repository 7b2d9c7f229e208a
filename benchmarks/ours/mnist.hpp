// Defines oursOnMnist, the network of the rows mnist_* in this library.
#pragma once

#include "compare/side.hpp"
#include "work/mnist.hpp"

namespace tapestry::benchmarks {

/// The work must outlive it.
Side oursOnMnist(const MnistWork& work, unsigned threads);

}  // namespace tapestry::benchmarks
