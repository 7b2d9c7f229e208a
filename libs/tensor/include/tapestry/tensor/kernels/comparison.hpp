// Defines the elementwise comparisons of tensors or scalars, which broadcast.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/kernels/detail/declare_binary.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// Each result is 1 where the comparison holds, else 0. NaN differs from everything, and is neither less nor
// greater. Shapes broadcast as in NumPy, else ShapeError names the function and both shapes. If a tensor that
// is passed by value has the result's shape and the caller moves its only handle in, the result is written in
// place.

TAPESTRY_DECLARE_BINARY(greater, a > b ? T{1} : T{0})
TAPESTRY_DECLARE_BINARY(greaterEqual, a >= b ? T{1} : T{0})
TAPESTRY_DECLARE_BINARY(less, a < b ? T{1} : T{0})
TAPESTRY_DECLARE_BINARY(lessEqual, a <= b ? T{1} : T{0})
TAPESTRY_DECLARE_BINARY(equal, a == b ? T{1} : T{0})
TAPESTRY_DECLARE_BINARY(notEqual, a != b ? T{1} : T{0})
#undef TAPESTRY_DECLARE_BINARY

}  // namespace tapestry::kernels
#pragma GCC visibility pop
