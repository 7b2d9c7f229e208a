#include <tapestry/tensor/kernels/comparison.hpp>

#include "kernels/elementwise/binary_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

TAPESTRY_BINARY_LOOPS(greater, hn::IfThenElseZero(hn::Gt(a, b), constant(d, a, 1)))
TAPESTRY_BINARY_LOOPS(greaterEqual, hn::IfThenElseZero(hn::Ge(a, b), constant(d, a, 1)))
TAPESTRY_BINARY_LOOPS(less, hn::IfThenElseZero(hn::Lt(a, b), constant(d, a, 1)))
TAPESTRY_BINARY_LOOPS(lessEqual, hn::IfThenElseZero(hn::Le(a, b), constant(d, a, 1)))
TAPESTRY_BINARY_LOOPS(equal, hn::IfThenElseZero(hn::Eq(a, b), constant(d, a, 1)))
// Highway's Ne is false for NaN.
TAPESTRY_BINARY_LOOPS(notEqual, hn::IfThenZeroElse(hn::Eq(a, b), constant(d, a, 1)))

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
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
#endif
