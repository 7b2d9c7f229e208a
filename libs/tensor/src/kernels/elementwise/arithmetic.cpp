#include <tapestry/tensor/kernels/arithmetic.hpp>

#include "kernels/elementwise/binary_inl.hpp"
#include "kernels/same_shape.hpp"

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
