// Defines TAPESTRY_BINARY_LOOPS, the loops of an elementwise function of two operands, once for each
// instruction set, and TAPESTRY_BINARY_KERNEL, which defines the function. Highway compiles the files that
// include this several times: the guard follows its toggle.
#if defined(TAPESTRY_KERNELS_BINARY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAPESTRY_KERNELS_BINARY_INL
#undef TAPESTRY_KERNELS_BINARY_INL
#else
#define TAPESTRY_KERNELS_BINARY_INL
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

#include "kernels/dispatch.hpp"
#include "kernels/elementwise/combine.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class F, class T>
void bothLoop(const T* a, const T* b, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(F()(access.d, access.load(a + i), access.load(b + i)), out + i);
  });
}

template <class F, class T>
void scalarRightLoop(const T* a, T b, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(F()(access.d, access.load(a + i), hn::Set(access.d, b)), out + i);
  });
}

template <class F, class T>
void scalarLeftLoop(T a, const T* b, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(F()(access.d, hn::Set(access.d, a), access.load(b + i)), out + i);
  });
}

template <class F, class T>
constexpr BinaryLoop<T> loopsOf{bothLoop<F, T>, scalarRightLoop<F, T>, scalarLeftLoop<F, T>};

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

// For use in the namespace of an instruction set, of a `value` of the vectors a and b, whose tag is d.

/// nameLoops<T>() returns a BinaryLoop.
#define TAPESTRY_BINARY_LOOPS(name, value) \
  TAPESTRY_VECTORS_OF_TWO(name, value)     \
  template <class T>                       \
  const BinaryLoop<T>& name##Loops() {     \
    return loopsOf<name##OfVectors, T>;    \
  }                                        \
  TAPESTRY_EXPORT_LOOP(name##Loops)

/// nameLoop<T> is a function of two arrays.
#define TAPESTRY_LOOP_OF_ARRAYS(name, value)                 \
  TAPESTRY_VECTORS_OF_TWO(name, value)                       \
  template <class T>                                         \
  constexpr auto& name##Loop = bothLoop<name##OfVectors, T>; \
  TAPESTRY_EXPORT_LOOP(name##Loop)

#define TAPESTRY_VECTORS_OF_TWO(name, value)                        \
  struct name##OfVectors {                                          \
    template <class D, class V>                                     \
    HWY_INLINE V operator()([[maybe_unused]] D d, V a, V b) const { \
      return value;                                                 \
    }                                                               \
  };

/// For use once: defines, for tensors of float and of double, the function that applies nameLoops.
#define TAPESTRY_BINARY_KERNEL(name, operation)                        \
  TAPESTRY_DISPATCH_LOOP(name##Loops)                                  \
  template <class T>                                                   \
  Tensor<T> name(Tensor<T> a, const Tensor<T>& b) {                    \
    return combine(operation, std::move(a), b, name##Loops<T>()());    \
  }                                                                    \
  template <class T>                                                   \
  Tensor<T> name(Tensor<T> a, std::type_identity_t<T> b) {             \
    return withScalarRight<T>(std::move(a), b, name##Loops<T>()());    \
  }                                                                    \
  template <class T>                                                   \
  Tensor<T> name(std::type_identity_t<T> a, Tensor<T> b) {             \
    return withScalarLeft<T>(a, std::move(b), name##Loops<T>()());     \
  }                                                                    \
  template Tensor<float> name(Tensor<float>, const Tensor<float>&);    \
  template Tensor<float> name(Tensor<float>, float);                   \
  template Tensor<float> name(float, Tensor<float>);                   \
  template Tensor<double> name(Tensor<double>, const Tensor<double>&); \
  template Tensor<double> name(Tensor<double>, double);                \
  template Tensor<double> name(double, Tensor<double>);

#endif
