#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/comparison.hpp>

#include "kernels/elementwise/binary_inl.hpp"
#include "kernels/target.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

TAPESTRY_BINARY_LOOPS(add, hn::Add(a, b))
TAPESTRY_BINARY_LOOPS(subtract, hn::Sub(a, b))
TAPESTRY_BINARY_LOOPS(multiply, hn::Mul(a, b))
TAPESTRY_BINARY_LOOPS(divide, hn::Div(a, b))
TAPESTRY_BINARY_LOOPS(maximum, hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b))
TAPESTRY_BINARY_LOOPS(minimum, hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b))
TAPESTRY_BINARY_LOOPS(where, hn::IfThenZeroElse(hn::Eq(a, hn::Zero(d)), b))
TAPESTRY_BINARY_LOOPS(unless, hn::IfThenElseZero(hn::Eq(a, hn::Zero(d)), b))

TAPESTRY_BINARY_LOOPS(greater, hn::IfThenElseZero(hn::Gt(a, b), constant(d, 1)))
TAPESTRY_BINARY_LOOPS(greaterEqual, hn::IfThenElseZero(hn::Ge(a, b), constant(d, 1)))
TAPESTRY_BINARY_LOOPS(less, hn::IfThenElseZero(hn::Lt(a, b), constant(d, 1)))
TAPESTRY_BINARY_LOOPS(lessEqual, hn::IfThenElseZero(hn::Le(a, b), constant(d, 1)))
TAPESTRY_BINARY_LOOPS(equal, hn::IfThenElseZero(hn::Eq(a, b), constant(d, 1)))
// Highway's Ne is false for NaN.
TAPESTRY_BINARY_LOOPS(notEqual, hn::IfThenZeroElse(hn::Eq(a, b), constant(d, 1)))

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_BINARY_KERNEL(add, "add")
TAPESTRY_BINARY_KERNEL(subtract, "subtract")
TAPESTRY_BINARY_KERNEL(multiply, "multiply")
TAPESTRY_BINARY_KERNEL(divide, "divide")
TAPESTRY_BINARY_KERNEL(maximum, "max")
TAPESTRY_BINARY_KERNEL(minimum, "min")
TAPESTRY_BINARY_KERNEL(where, "where")
TAPESTRY_BINARY_KERNEL(unless, "where")
TAPESTRY_BINARY_KERNEL(greater, "greater")
TAPESTRY_BINARY_KERNEL(greaterEqual, "greaterEqual")
TAPESTRY_BINARY_KERNEL(less, "less")
TAPESTRY_BINARY_KERNEL(lessEqual, "lessEqual")
TAPESTRY_BINARY_KERNEL(equal, "equal")
TAPESTRY_BINARY_KERNEL(notEqual, "notEqual")

template <class T>
void addInto(Tensor<T>& accumulator, const Tensor<T>& x) {
  requireSameShape("addInto", x, accumulator);
  const BinaryLoop<T>& loop = addLoops<T>()();
  if (accumulator.unique())
    loop.both(accumulator.data(), x.data(), x.size(), accumulator.exclusiveData());
  else
    accumulator = combine("addInto", accumulator, x, loop);
}

template void addInto(Tensor<float>&, const Tensor<float>&);
template void addInto(Tensor<double>&, const Tensor<double>&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
