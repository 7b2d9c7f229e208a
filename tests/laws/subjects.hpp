// Defines the subjects of the laws: for each monad, sample computations, functions that continue with them,
// and a text of what a computation does.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "support/error_text.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/testing/identity.hpp"

namespace tapestry::test {

/// A type with map and flatMap, as a tag like those that transformers take.
template <template <class> class M>
struct TypeMonad {
  template <class A>
  using Type = M<A>;
  template <class A, class F>
  static auto map(const M<A>& source, F function) {
    return source.map(std::move(function));
  }
  template <class A, class F>
  static auto flatMap(const M<A>& source, F function) {
    return source.flatMap(std::move(function));
  }
};

struct DoMonad : TypeMonad<Do> {
  template <class A>
  static Do<A> now(A value) {
    return Do<A>::now(std::move(value));
  }
  template <class A, class F>
  static Do<A> handleError(const Do<A>& source, F handler) {
    return source.handleError(std::move(handler));
  }
  template <class A>
  static Do<A> raiseError(std::exception_ptr error) {
    return Do<A>::raiseError(std::move(error));
  }
};

template <class M, class A>
using Of = typename M::template Type<A>;

inline std::exception_ptr lawError(const std::string& text) {
  return std::make_exception_ptr(std::runtime_error(text));
}

/// The effects of the computation that is observed.
inline std::string& effects() {
  static std::string log;
  return log;
}

inline int logged(const std::string& text, int value) {
  effects() += text + " ";
  return value;
}

inline std::string show(int value) { return std::to_string(value); }
template <class A, class B>
std::string show(const std::tuple<A, B>& value) {
  return "(" + show(std::get<0>(value)) + ", " + show(std::get<1>(value)) + ")";
}
template <class A>
std::string show(const Try<A>& value) {
  return value.hasValue() ? show(value.get()) : errorText(value.error());
}

template <class M>
struct Subject;

template <>
struct Subject<testing::IdentityMonad> {
  using M = testing::IdentityMonad;
  static std::vector<Of<M, int>> samples() { return {M::now(1), M::now(-7)}; }
  template <class A>
  static std::string ended(const Of<M, A>& computation) {
    return show(computation.value);
  }
};

template <>
struct Subject<UnitContinuationMonad> {
  using M = UnitContinuationMonad;
  static std::vector<Of<M, int>> samples() {
    return {now(1), delay([] { return logged("delay", 2); }),
            async<int>([](const Callback<int>& callback) { callback(logged("async", 3)); }),
            suspend([] { return delay([] { return logged("suspend", 4); }); })};
  }
  template <class A>
  static std::string ended(const Of<M, A>& computation) {
    return show(computation.blockingAwait());
  }
};

template <class Base>
struct Subject<TryT<Base>> {
  using M = TryT<Base>;
  static std::vector<Of<M, int>> samples() {
    std::vector<Of<M, int>> all;
    for (const auto& computation : Subject<Base>::samples())
      all.push_back(M::template lift<int>(computation));
    all.push_back(M::template raiseError<int>(lawError("raised")));
    all.push_back(M::map(M::now(1), [](int) -> int { throw std::runtime_error("thrown"); }));
    return all;
  }
  template <class A>
  static std::string ended(const Of<M, A>& computation) {
    return Subject<Base>::template ended<Try<A>>(computation.unwrap());
  }
};

template <class Base>
struct Subject<ResourceT<Base>> {
  using M = ResourceT<Base>;
  static std::vector<Of<M, int>> samples() {
    std::vector<Of<M, int>> all;
    for (const auto& computation : Subject<Base>::samples())
      all.push_back(M::template lift<int>(computation));
    all.push_back(held("a"));
    all.push_back(held("b"));
    return all;
  }
  template <class A>
  static std::string ended(const Of<M, A>& computation) {
    return Subject<Base>::template ended<A>(M::run(computation));
  }

 private:
  static Of<M, int> held(const std::string& resource) {
    Of<Base, Errors> release =
        Base::map(Base::now(Unit{}), [resource](Unit) { return logged("-" + resource, 0), Errors(); });
    return Of<M, int>(Base::map(Base::now(Unit{}), [resource, release](Unit) {
      return Resource<Base, int>{logged("+" + resource, 5), release};
    }));
  }
};

template <>
struct Subject<DoMonad> {
  using M = DoMonad;
  static std::vector<Do<int>> samples() {
    return {Do<int>::now(1),
            Do<int>::delay([] { return logged("delay", 2); }),
            Do<int>::async([](const auto& callback) { callback(Try<int>::success(logged("async", 3))); }),
            Do<int>::raiseError(lawError("raised")),
            Do<int>::delay([]() -> int { throw std::runtime_error("thrown"); }),
            held("a"),
            held("b").flatMap([](int x) { return held("c").map([x](int y) { return x * y; }); }),
            held("d").flatMap([](int) { return Do<int>::raiseError(lawError("late")); }),
            held("e").run()};
  }
  template <class A>
  static std::string ended(const Do<A>& program) {
    return show(program.attempt().blockingAwait());
  }

 private:
  static Do<int> held(const std::string& resourceName) {
    return resource(Do<int>::delay([resourceName] { return logged("+" + resourceName, 5); }),
                    [resourceName](int) { logged("-" + resourceName, 0); });
  }
};

/// The value or error with which the computation ends, and its effects.
template <class M, class A>
std::string observe(const Of<M, A>& computation) {
  effects().clear();
  const std::string ended = Subject<M>::template ended<A>(computation);
  return ended + " " + effects();
}

/// Functions to continue with: some pure, some with all that the samples do.
template <class M>
std::vector<std::function<Of<M, int>(int)>> arrows() {
  std::vector<std::function<Of<M, int>(int)>> all{[](int x) -> Of<M, int> { return M::now(x + 1); }};
  for (const auto& sample : Subject<M>::samples())
    all.push_back(
        [sample](int x) -> Of<M, int> { return M::map(sample, [x](int y) { return 10 * x + y; }); });
  return all;
}

}  // namespace tapestry::test
