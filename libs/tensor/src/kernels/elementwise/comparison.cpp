#include <tapestry/tensor/kernels/comparison.hpp>

#include "kernels/elementwise/binary_loops.hpp"
#include "kernels/elementwise/combine.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_BINARY_KERNEL(greater, "greater")
TAPESTRY_BINARY_KERNEL(greaterEqual, "greaterEqual")
TAPESTRY_BINARY_KERNEL(less, "less")
TAPESTRY_BINARY_KERNEL(lessEqual, "lessEqual")
TAPESTRY_BINARY_KERNEL(equal, "equal")
TAPESTRY_BINARY_KERNEL(notEqual, "notEqual")

}  // namespace tapestry::kernels
#pragma GCC visibility pop
