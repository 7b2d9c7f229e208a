#include "kernels/elementwise/binary_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/binary_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

struct Add {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};

struct Subtract {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Sub(a, b);
  }
};

struct Multiply {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Mul(a, b);
  }
};

struct Divide {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Div(a, b);
  }
};

struct Maximum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::IfThenElse(hn::Or(hn::Gt(a, b), hn::IsNaN(a)), a, b);
  }
};

struct Minimum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::IfThenElse(hn::Or(hn::Lt(a, b), hn::IsNaN(a)), a, b);
  }
};

struct Where {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V condition, V x) const {
    return hn::IfThenZeroElse(hn::Eq(condition, hn::Zero(d)), x);
  }
};

struct Unless {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V condition, V x) const {
    return hn::IfThenElseZero(hn::Eq(condition, hn::Zero(d)), x);
  }
};

struct Greater {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::IfThenElseZero(hn::Gt(a, b), constant(d, a, 1));
  }
};

struct GreaterEqual {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::IfThenElseZero(hn::Ge(a, b), constant(d, a, 1));
  }
};

struct Less {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::IfThenElseZero(hn::Lt(a, b), constant(d, a, 1));
  }
};

struct LessEqual {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::IfThenElseZero(hn::Le(a, b), constant(d, a, 1));
  }
};

struct Equal {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::IfThenElseZero(hn::Eq(a, b), constant(d, a, 1));
  }
};

struct NotEqual {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return hn::IfThenZeroElse(hn::Eq(a, b), constant(d, a, 1));  // Highway's Ne is false for NaN
  }
};

struct ReluDerivative {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V delta, V output) const {
    return hn::IfThenElseZero(hn::Gt(output, hn::Zero(d)), delta);
  }
};

struct TanhDerivative {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V delta, V output) const {
    return hn::Mul(delta, hn::NegMulAdd(output, output, constant(d, delta, 1)));
  }
};

struct SigmoidDerivative {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V delta, V output) const {
    return hn::Mul(hn::Mul(delta, output), hn::Sub(constant(d, delta, 1), output));
  }
};

struct AbsDerivative {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V delta, V x) const {
    return hn::Mul(delta, sign(d, x));
  }
};

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
