// components: continuation resourcet
#include <tapestry/raii/resourcet/resource_t.hpp>

#include <stdexcept>
#include <utility>

#if __has_include(<tapestry/raii/tryt/try_t.hpp>) || __has_include(<tapestry/testing/identity.hpp>)
#error "the installed copy holds more than the component resourcet and what it needs"
#endif

using namespace tapestry;

/// A monad of the user's own: a value.
struct Plain {
  template <class A>
  struct Type {
    A value;
  };
  template <class A>
  static Type<A> now(A value) {
    return {std::move(value)};
  }
  template <class A, class F>
  static auto map(Type<A> source, F function) {
    return now(function(std::move(source.value)));
  }
  template <class A, class F>
  static auto flatMap(Type<A> source, F function) {
    return function(std::move(source.value));
  }
  template <class A>
  static Type<A> mask(Type<A> source) {
    return source;
  }
  template <class A>
  static Type<A> onStop(Type<A> source, const Type<Errors>&) {
    return source;
  }
};

int main() {
  using M = Plain;
  using T = ResourceT<M>;
  const Errors broken(std::make_exception_ptr(std::runtime_error("broken")));
  const T::Type<Errors> held(M::now(Resource<M, Errors>{Errors(), M::now(broken)}));
  const auto kept = T::flatMap(held, [](const Errors&) { return T::now(42); });
  return kept.acquire().value.release && T::run(T::now(42)).value == 42 && !T::run(held).value.empty() ? 0
                                                                                                       : 1;
}
