#include <tapestry/deeplearning/kernels/arithmetic.hpp>

#include <utility>

#include "kernels/binary_loops.hpp"
#include "kernels/combine.hpp"
#include "kernels/target.hpp"

namespace tapestry::kernels {

namespace {

template <class T>
Tensor<T> withScalarRight(Tensor<T> a, T b, const BinaryLoop<T>& loop) {
  const T* const from = a.data();
  Tensor<T> result = targetFor(std::move(a));
  loop.scalarRight(from, b, result.size(), result.exclusiveData());
  return result;
}

template <class T>
Tensor<T> withScalarLeft(T a, Tensor<T> b, const BinaryLoop<T>& loop) {
  const T* const from = b.data();
  Tensor<T> result = targetFor(std::move(b));
  loop.scalarLeft(a, from, result.size(), result.exclusiveData());
  return result;
}

}  // namespace

template <class T>
void addInto(Tensor<T>& accumulator, const Tensor<T>& x) {
  requireSameShape("addInto", x, accumulator);
  const BinaryLoop<T>& loop = binaryLoops<T>().add;
  if (accumulator.unique())
    loop.both(accumulator.data(), x.data(), x.size(), accumulator.exclusiveData());
  else
    accumulator = combine("addInto", accumulator, x, loop);
}

#define TAPESTRY_DEFINE(name, operation)                               \
  template <class T>                                                   \
  Tensor<T> name(Tensor<T> a, const Tensor<T>& b) {                    \
    return combine(operation, std::move(a), b, binaryLoops<T>().name); \
  }                                                                    \
  template <class T>                                                   \
  Tensor<T> name(Tensor<T> a, std::type_identity_t<T> b) {             \
    return withScalarRight<T>(std::move(a), b, binaryLoops<T>().name); \
  }                                                                    \
  template <class T>                                                   \
  Tensor<T> name(std::type_identity_t<T> a, Tensor<T> b) {             \
    return withScalarLeft<T>(a, std::move(b), binaryLoops<T>().name);  \
  }                                                                    \
  template Tensor<float> name(Tensor<float>, const Tensor<float>&);    \
  template Tensor<float> name(Tensor<float>, float);                   \
  template Tensor<float> name(float, Tensor<float>);                   \
  template Tensor<double> name(Tensor<double>, const Tensor<double>&); \
  template Tensor<double> name(Tensor<double>, double);                \
  template Tensor<double> name(double, Tensor<double>);
TAPESTRY_DEFINE(add, "add")
TAPESTRY_DEFINE(subtract, "subtract")
TAPESTRY_DEFINE(multiply, "multiply")
TAPESTRY_DEFINE(divide, "divide")
TAPESTRY_DEFINE(maximum, "max")
TAPESTRY_DEFINE(minimum, "min")
TAPESTRY_DEFINE(where, "where")
TAPESTRY_DEFINE(unless, "where")
#undef TAPESTRY_DEFINE

template void addInto(Tensor<float>&, const Tensor<float>&);
template void addInto(Tensor<double>&, const Tensor<double>&);

}  // namespace tapestry::kernels
