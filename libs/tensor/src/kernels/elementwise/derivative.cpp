#include <tapestry/tensor/kernels/derivative.hpp>

#include <utility>

#include "kernels/elementwise/binary_inl.hpp"
#include "kernels/target.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// a is the delta, b the value or the operand.
TAPESTRY_LOOP_OF_ARRAYS(reluDerivative, hn::IfThenElseZero(hn::Gt(b, hn::Zero(d)), a))
TAPESTRY_LOOP_OF_ARRAYS(tanhDerivative, hn::Mul(a, hn::NegMulAdd(b, b, constant(d, 1))))
TAPESTRY_LOOP_OF_ARRAYS(sigmoidDerivative, hn::Mul(hn::Mul(a, b), hn::Sub(constant(d, 1), b)))
TAPESTRY_LOOP_OF_ARRAYS(absDerivative, hn::Mul(a, sign(d, b)))
// b is a share. A share of 0 is 0 of an infinite delta too.
TAPESTRY_LOOP_OF_ARRAYS(shareOf, hn::IfThenElseZero(hn::Gt(b, hn::Zero(d)), hn::Mul(a, b)))
// 1 where a > b, 1/2 where they are equal, else 0.
TAPESTRY_BINARY_LOOPS(maximumShare, hn::IfThenElse(hn::Gt(a, b), constant(d, 1),
                                                   hn::IfThenElseZero(hn::Eq(a, b), constant(d, 0.5))))

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

#define TAPESTRY_DEFINE(name)                                         \
  TAPESTRY_DISPATCH_LOOP(name##Loop)                                  \
  template <class T>                                                  \
  Tensor<T> name(Tensor<T> delta, const Tensor<T>& value) {           \
    return inPlace(#name, std::move(delta), value, *name##Loop<T>()); \
  }                                                                   \
  template Tensor<float> name(Tensor<float>, const Tensor<float>&);   \
  template Tensor<double> name(Tensor<double>, const Tensor<double>&);
TAPESTRY_DEFINE(reluDerivative)
TAPESTRY_DEFINE(tanhDerivative)
TAPESTRY_DEFINE(sigmoidDerivative)
TAPESTRY_DEFINE(absDerivative)
#undef TAPESTRY_DEFINE

TAPESTRY_DISPATCH_LOOP(shareOfLoop)
TAPESTRY_DISPATCH_LOOP(maximumShareLoops)

template <class T>
Tensor<T> maximumDerivativeLeft(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b) {
  const Tensor<T> share = combine("maximumDerivative", a, b, maximumShareLoops<T>()());
  return inPlace("maximumDerivative", std::move(delta), share, *shareOfLoop<T>());
}

template Tensor<float> maximumDerivativeLeft(Tensor<float>, const Tensor<float>&, const Tensor<float>&);
template Tensor<double> maximumDerivativeLeft(Tensor<double>, const Tensor<double>&, const Tensor<double>&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
