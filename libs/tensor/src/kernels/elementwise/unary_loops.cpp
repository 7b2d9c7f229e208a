#include "kernels/elementwise/unary_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/unary_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

struct Negate {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::Neg(x);
  }
};

struct Abs {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::Abs(x);
  }
};

struct Sign {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return sign(d, x);
  }
};

struct Exp {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return exp(d, x);
  }
};

struct Log {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return log(d, x);
  }
};

struct Relu {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return relu(d, x);
  }
};

struct Tanh {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return tanh(d, x);
  }
};

struct Sigmoid {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return sigmoid(d, x);
  }
};

struct Sqrt {
  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return hn::Sqrt(x);
  }
};

struct Sin {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return sin(d, x);
  }
};

struct Cos {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return cos(d, x);
  }
};

struct Log1p {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return log1p(d, x);
  }
};

struct Expm1 {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return expm1(d, x);
  }
};

struct Softplus {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return softplus(d, x);
  }
};

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
