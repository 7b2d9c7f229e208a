#include "kernels/optimizer/optimizer_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/optimizer/optimizer_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Accesses a whole vector, or the values left at the end; a step accesses each of its arrays in the same way.
template <class T>
struct Whole {
  hn::ScalableTag<T> d;
  HWY_INLINE auto load(const T* from) const { return hn::LoadU(d, from); }
  HWY_INLINE void store(hn::Vec<hn::ScalableTag<T>> v, T* to) const { hn::StoreU(v, d, to); }
};

template <class T>
struct Rest {
  hn::ScalableTag<T> d;
  std::size_t n;
  HWY_INLINE auto load(const T* from) const { return loadFirst(d, from, n); }
  HWY_INLINE void store(hn::Vec<hn::ScalableTag<T>> v, T* to) const { storeFirst(d, v, to, n); }
};

// step.run(access, i) computes the lanes from i on.
template <class T, class Step>
void forEachVector(std::size_t n, const Step& step) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) step.run(Whole<T>{d}, i);
  if (i < n) step.run(Rest<T>{d, n - i}, i);
}

template <class T>
struct Sgd {
  const T* weight;
  const T* gradient;
  T rate;
  T* out;

  template <class Access>
  HWY_INLINE void run(const Access& access, std::size_t i) const {
    const auto rates = hn::Set(access.d, rate);
    access.store(hn::NegMulAdd(rates, access.load(gradient + i), access.load(weight + i)), out + i);
  }
};

template <class T>
struct Momentum {
  const T* weight;
  const T* gradient;
  const T* velocity;
  T rate;
  T momentum;
  T* weightOut;
  T* velocityOut;

  template <class Access>
  HWY_INLINE void run(const Access& access, std::size_t i) const {
    const auto factor = hn::Set(access.d, momentum);
    const auto speed = hn::MulAdd(factor, access.load(velocity + i), access.load(gradient + i));
    access.store(speed, velocityOut + i);
    access.store(hn::NegMulAdd(hn::Set(access.d, rate), speed, access.load(weight + i)), weightOut + i);
  }
};

template <class T>
struct Adaptive {
  const T* weight;
  const T* gradient;
  const T* squares;
  const AdaptiveParameters<T>& parameters;
  T* weightOut;
  T* squaresOut;

  template <class Access>
  HWY_INLINE void run(const Access& access, std::size_t i) const {
    const auto& d = access.d;
    const auto& [rate, decay, gain, epsilon] = parameters;
    const auto g = access.load(gradient + i);
    const auto square = hn::Mul(hn::Mul(hn::Set(d, gain), g), g);
    const auto s = hn::MulAdd(hn::Set(d, decay), access.load(squares + i), square);
    const auto step = hn::Div(hn::Mul(hn::Set(d, rate), g), hn::Add(hn::Sqrt(s), hn::Set(d, epsilon)));
    access.store(s, squaresOut + i);
    access.store(hn::Sub(access.load(weight + i), step), weightOut + i);
  }
};

template <class T>
struct Adam {
  const T* weight;
  const T* gradient;
  const T* first;
  const T* second;
  const AdamConstants<T>& constants;
  T* weightOut;
  T* firstOut;
  T* secondOut;

  template <class Access>
  HWY_INLINE void run(const Access& access, std::size_t i) const {
    const auto& d = access.d;
    const auto& [rate, beta1, beta2, epsilon, secondScale, kept] = constants;
    const auto g = access.load(gradient + i);
    const auto m = hn::MulAdd(hn::Set(d, beta1), access.load(first + i), hn::Mul(hn::Set(d, 1 - beta1), g));
    const auto square = hn::Mul(hn::Mul(hn::Set(d, 1 - beta2), g), g);
    const auto v = hn::MulAdd(hn::Set(d, beta2), access.load(second + i), square);
    const auto deviation = hn::Sqrt(hn::Mul(v, hn::Set(d, secondScale)));
    const auto step = hn::Div(hn::Mul(hn::Set(d, rate), m), hn::Add(deviation, hn::Set(d, epsilon)));
    access.store(m, firstOut + i);
    access.store(v, secondOut + i);
    access.store(hn::MulSub(hn::Set(d, kept), access.load(weight + i), step), weightOut + i);
  }
};

template <class T>
void sgd(const T* weight, const T* gradient, std::size_t n, T rate, T* out) {
  forEachVector<T>(n, Sgd<T>{weight, gradient, rate, out});
}

template <class T>
void momentum(const T* weight, const T* gradient, const T* velocity, std::size_t n, T rate, T factor,
              T* weightOut, T* velocityOut) {
  forEachVector<T>(n, Momentum<T>{weight, gradient, velocity, rate, factor, weightOut, velocityOut});
}

template <class T>
void adaptive(const T* weight, const T* gradient, const T* squares, std::size_t n,
              const AdaptiveParameters<T>& parameters, T* weightOut, T* squaresOut) {
  forEachVector<T>(n, Adaptive<T>{weight, gradient, squares, parameters, weightOut, squaresOut});
}

template <class T>
void adam(const T* weight, const T* gradient, const T* first, const T* second, std::size_t n,
          const AdamConstants<T>& constants, T* weightOut, T* firstOut, T* secondOut) {
  forEachVector<T>(n, Adam<T>{weight, gradient, first, second, constants, weightOut, firstOut, secondOut});
}

template <class T>
constexpr OptimizerLoops<T> loops{sgd<T>, momentum<T>, adaptive<T>, adam<T>};

}  // namespace

TAPESTRY_LOOPS_OF_TARGET(OptimizerLoops, optimizerLoops)

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOPS(OptimizerLoops, optimizerLoops)

}  // namespace tapestry::kernels
#endif
