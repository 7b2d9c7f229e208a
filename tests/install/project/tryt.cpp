// components: continuation tryt
#include <tapestry/raii/tryt/try_t.hpp>

#include <stdexcept>
#include <utility>

#if __has_include(<tapestry/raii/resourcet/resource_t.hpp>) || __has_include(<tapestry/testing/identity.hpp>)
#error "the installed copy holds more than the component tryt and what it needs"
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
  using T = TryT<Plain>;
  const auto failing = T::map(T::now(1), [](int) -> int { throw std::runtime_error("no"); });
  const auto handled = T::handleError(failing, [](const std::exception_ptr&) { return T::now(42); });
  return !failing.unwrap().value.hasValue() && handled.unwrap().value.get() == 42 ? 0 : 1;
}
