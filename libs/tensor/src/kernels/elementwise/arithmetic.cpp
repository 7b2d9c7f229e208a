#include <tapestry/tensor/kernels/arithmetic.hpp>

#include <utility>

#include "kernels/elementwise/binary_loops.hpp"
#include "kernels/elementwise/combine.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

template <class T>
void addInto(Tensor<T>& accumulator, const Tensor<T>& x) {
  requireSameShape("addInto", x, accumulator);
  const BinaryLoop<T>& loop = binaryLoops<T>().add;
  if (accumulator.unique())
    loop.both(accumulator.data(), x.data(), x.size(), accumulator.exclusiveData());
  else
    accumulator = combine("addInto", accumulator, x, loop);
}

TAPESTRY_BINARY_KERNEL(add, "add")
TAPESTRY_BINARY_KERNEL(subtract, "subtract")
TAPESTRY_BINARY_KERNEL(multiply, "multiply")
TAPESTRY_BINARY_KERNEL(divide, "divide")
TAPESTRY_BINARY_KERNEL(maximum, "max")
TAPESTRY_BINARY_KERNEL(minimum, "min")
TAPESTRY_BINARY_KERNEL(where, "where")
TAPESTRY_BINARY_KERNEL(unless, "where")

template void addInto(Tensor<float>&, const Tensor<float>&);
template void addInto(Tensor<double>&, const Tensor<double>&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
