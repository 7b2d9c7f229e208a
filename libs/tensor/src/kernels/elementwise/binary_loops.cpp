#include "kernels/elementwise/binary_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/binary_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// A function object of the vectors a and b, whose tag is d.
#define TAPESTRY_VECTORS(Name, value)                               \
  struct Name {                                                     \
    template <class D, class V>                                     \
    HWY_INLINE V operator()([[maybe_unused]] D d, V a, V b) const { \
      return value;                                                 \
    }                                                               \
  };
TAPESTRY_VECTORS(Add, hn::Add(a, b))
TAPESTRY_VECTORS(Subtract, hn::Sub(a, b))
TAPESTRY_VECTORS(Multiply, hn::Mul(a, b))
TAPESTRY_VECTORS(Divide, hn::Div(a, b))
TAPESTRY_VECTORS(Maximum, hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b))
TAPESTRY_VECTORS(Minimum, hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b))
TAPESTRY_VECTORS(Where, hn::IfThenZeroElse(hn::Eq(a, hn::Zero(d)), b))
TAPESTRY_VECTORS(Unless, hn::IfThenElseZero(hn::Eq(a, hn::Zero(d)), b))
TAPESTRY_VECTORS(Greater, hn::IfThenElseZero(hn::Gt(a, b), constant(d, a, 1)))
TAPESTRY_VECTORS(GreaterEqual, hn::IfThenElseZero(hn::Ge(a, b), constant(d, a, 1)))
TAPESTRY_VECTORS(Less, hn::IfThenElseZero(hn::Lt(a, b), constant(d, a, 1)))
TAPESTRY_VECTORS(LessEqual, hn::IfThenElseZero(hn::Le(a, b), constant(d, a, 1)))
TAPESTRY_VECTORS(Equal, hn::IfThenElseZero(hn::Eq(a, b), constant(d, a, 1)))
// Highway's Ne is false for NaN.
TAPESTRY_VECTORS(NotEqual, hn::IfThenZeroElse(hn::Eq(a, b), constant(d, a, 1)))
TAPESTRY_VECTORS(ReluDerivative, hn::IfThenElseZero(hn::Gt(b, hn::Zero(d)), a))
TAPESTRY_VECTORS(TanhDerivative, hn::Mul(a, hn::NegMulAdd(b, b, constant(d, a, 1))))
TAPESTRY_VECTORS(SigmoidDerivative, hn::Mul(hn::Mul(a, b), hn::Sub(constant(d, a, 1), b)))
TAPESTRY_VECTORS(AbsDerivative, hn::Mul(a, sign(d, b)))
#undef TAPESTRY_VECTORS

struct MaximumShare {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const V half = hn::IfThenElseZero(hn::Eq(a, b), constant(d, a, 0.5));
    return hn::IfThenElse(hn::Gt(a, b), constant(d, a, 1), half);
  }
};

template <class F, class T>
void both(const T* a, const T* b, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const F f;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(f(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
  if (i < n) storeFirst(d, f(d, loadFirst(d, a + i, n - i), loadFirst(d, b + i, n - i)), out + i, n - i);
}

template <class F, class T>
void scalarRight(const T* a, T b, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const F f;
  const auto right = hn::Set(d, b);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(f(d, hn::LoadU(d, a + i), right), d, out + i);
  if (i < n) storeFirst(d, f(d, loadFirst(d, a + i, n - i), right), out + i, n - i);
}

template <class F, class T>
void scalarLeft(T a, const T* b, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const F f;
  const auto left = hn::Set(d, a);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(f(d, left, hn::LoadU(d, b + i)), d, out + i);
  if (i < n) storeFirst(d, f(d, left, loadFirst(d, b + i, n - i)), out + i, n - i);
}

template <class F, class T>
constexpr BinaryLoop<T> loop{both<F, T>, scalarRight<F, T>, scalarLeft<F, T>};

template <class T>
constexpr BinaryLoops<T> loops{loop<Add, T>,
                               loop<Subtract, T>,
                               loop<Multiply, T>,
                               loop<Divide, T>,
                               loop<Maximum, T>,
                               loop<Minimum, T>,
                               loop<Where, T>,
                               loop<Unless, T>,
                               loop<Greater, T>,
                               loop<GreaterEqual, T>,
                               loop<Less, T>,
                               loop<LessEqual, T>,
                               loop<Equal, T>,
                               loop<NotEqual, T>,
                               loop<ReluDerivative, T>,
                               loop<TanhDerivative, T>,
                               loop<SigmoidDerivative, T>,
                               loop<AbsDerivative, T>,
                               loop<MaximumShare, T>};

}  // namespace

TAPESTRY_LOOPS_OF_TARGET(BinaryLoops, binaryLoops)

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOPS(BinaryLoops, binaryLoops)

}  // namespace tapestry::kernels
#endif
