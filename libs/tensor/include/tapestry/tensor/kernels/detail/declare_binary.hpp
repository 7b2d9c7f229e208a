// Defines TAPESTRY_DECLARE_BINARY(name, value), which declares an elementwise function of two operands, for
// tensors and for a tensor and a scalar, and defines it for scalars. A header that includes this one
// undefines the macro at its end, and others include it again: it has no include guard.
#define TAPESTRY_DECLARE_BINARY(name, value)                               \
  template <class T>                                                       \
  Tensor<T> name(Tensor<T> a, const Tensor<T>& b);                         \
  template <class T>                                                       \
  Tensor<T> name(Tensor<T> a, std::type_identity_t<T> b);                  \
  template <class T>                                                       \
  Tensor<T> name(std::type_identity_t<T> a, Tensor<T> b);                  \
  TAPESTRY_OWN_KERNEL(name, (X a, X b), (std::move(a), std::move(b)))      \
  TAPESTRY_OWN_KERNEL(name, (X a, typename X::Value b), (std::move(a), b)) \
  TAPESTRY_OWN_KERNEL(name, (typename X::Value a, X b), (a, std::move(b))) \
  template <std::floating_point T>                                         \
  T name(T a, T b) noexcept {                                              \
    return value;                                                          \
  }
