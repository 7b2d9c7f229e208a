#include <tapestry/tensor/kernels/elementwise.hpp>

#include <cstddef>
#include <utility>

#include "kernels/dispatch.hpp"
#include "kernels/target.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class F, class T>
void mapLoop(const T* x, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    const auto y = F()(access.d, access.load(x + i));
    access.store(y, out + i);
  });
}

// nameLoop<T> computes `value`, of the vector x, whose tag is d.
#define TAPESTRY_LOOP(name, value)                             \
  struct name##OfVectors {                                     \
    template <class D, class V>                                \
    HWY_INLINE V operator()([[maybe_unused]] D d, V x) const { \
      return value;                                            \
    }                                                          \
  };                                                           \
  template <class T>                                           \
  constexpr auto& name##Loop = mapLoop<name##OfVectors, T>;    \
  TAPESTRY_EXPORT_LOOP(name##Loop)
TAPESTRY_LOOP(negate, hn::Neg(x))
TAPESTRY_LOOP(abs, hn::Abs(x))
TAPESTRY_LOOP(sign, sign(d, x))
TAPESTRY_LOOP(sqrt, hn::Sqrt(x))
TAPESTRY_LOOP(exp, exp(d, x))
TAPESTRY_LOOP(expm1, expm1(d, x))
TAPESTRY_LOOP(log, log(d, x))
TAPESTRY_LOOP(log1p, log1p(d, x))
TAPESTRY_LOOP(sin, sin(d, x))
TAPESTRY_LOOP(cos, cos(d, x))
TAPESTRY_LOOP(relu, relu(d, x))
TAPESTRY_LOOP(tanh, tanh(d, x))
TAPESTRY_LOOP(sigmoid, sigmoid(d, x))
TAPESTRY_LOOP(softplus, softplus(d, x))
#undef TAPESTRY_LOOP

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

#define TAPESTRY_DEFINE(name)                       \
  TAPESTRY_DISPATCH_LOOP(name##Loop)                \
  template <class T>                                \
  Tensor<T> name(Tensor<T> x) {                     \
    return inPlace(std::move(x), *name##Loop<T>()); \
  }                                                 \
  template Tensor<float> name(Tensor<float>);       \
  template Tensor<double> name(Tensor<double>);
TAPESTRY_DEFINE(negate)
TAPESTRY_DEFINE(abs)
TAPESTRY_DEFINE(sign)
TAPESTRY_DEFINE(sqrt)
TAPESTRY_DEFINE(exp)
TAPESTRY_DEFINE(expm1)
TAPESTRY_DEFINE(log)
TAPESTRY_DEFINE(log1p)
TAPESTRY_DEFINE(sin)
TAPESTRY_DEFINE(cos)
TAPESTRY_DEFINE(relu)
TAPESTRY_DEFINE(tanh)
TAPESTRY_DEFINE(sigmoid)
TAPESTRY_DEFINE(softplus)
#undef TAPESTRY_DEFINE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
