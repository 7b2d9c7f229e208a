#include "kernels/elementwise/unary_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/unary_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// A function object of the vector x, whose tag is d.
#define TAPESTRY_VECTORS(Name, value)                          \
  struct Name {                                                \
    template <class D, class V>                                \
    HWY_INLINE V operator()([[maybe_unused]] D d, V x) const { \
      return value;                                            \
    }                                                          \
  };
TAPESTRY_VECTORS(Negate, hn::Neg(x))
TAPESTRY_VECTORS(Abs, hn::Abs(x))
TAPESTRY_VECTORS(Sign, sign(d, x))
TAPESTRY_VECTORS(Exp, exp(d, x))
TAPESTRY_VECTORS(Log, log(d, x))
TAPESTRY_VECTORS(Relu, relu(d, x))
TAPESTRY_VECTORS(Tanh, tanh(d, x))
TAPESTRY_VECTORS(Sigmoid, sigmoid(d, x))
TAPESTRY_VECTORS(Sqrt, hn::Sqrt(x))
TAPESTRY_VECTORS(Sin, sin(d, x))
TAPESTRY_VECTORS(Cos, cos(d, x))
TAPESTRY_VECTORS(Log1p, log1p(d, x))
TAPESTRY_VECTORS(Expm1, expm1(d, x))
TAPESTRY_VECTORS(Softplus, softplus(d, x))
#undef TAPESTRY_VECTORS

template <class F, class T>
void map(const T* x, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const F f;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(f(d, hn::LoadU(d, x + i)), d, out + i);
  if (i < n) storeFirst(d, f(d, loadFirst(d, x + i, n - i)), out + i, n - i);
}

template <class T>
constexpr UnaryLoops<T> loops{map<Negate, T>, map<Abs, T>,   map<Sign, T>,    map<Exp, T>,     map<Log, T>,
                              map<Relu, T>,   map<Tanh, T>,  map<Sigmoid, T>, map<Sqrt, T>,    map<Sin, T>,
                              map<Cos, T>,    map<Log1p, T>, map<Expm1, T>,   map<Softplus, T>};

}  // namespace

TAPESTRY_LOOPS_OF_TARGET(UnaryLoops, unaryLoops)

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOPS(UnaryLoops, unaryLoops)

}  // namespace tapestry::kernels
#endif
