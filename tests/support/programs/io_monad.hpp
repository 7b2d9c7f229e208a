// Defines IoMonad, a lazy monad without a run loop: its computations are functions, and nothing stops them.
#pragma once

#include <functional>
#include <utility>

#include "tapestry/continuation/monad/monad.hpp"

namespace tapestry::test {

template <class A>
struct Io {
  std::function<A()> run;
};

struct IoMonad {
  template <class A>
  using Type = Io<A>;

  template <class A>
  static Io<A> now(A value) {
    return {[value] { return value; }};
  }
  template <class A, class F>
  static auto map(Io<A> source, F function) {
    using B = std::invoke_result_t<const F&, A>;
    return Io<B>{[source, function] { return function(source.run()); }};
  }
  template <class A, class F>
  static auto flatMap(Io<A> source, F function) {
    using Next = std::invoke_result_t<const F&, A>;
    return Next{[source, function] { return function(source.run()).run(); }};
  }
  template <class A>
  static Io<A> mask(Io<A> source) {
    return source;
  }
  template <class A>
  static Io<A> onStop(Io<A> source, Io<Errors>) {
    return source;
  }
};

static_assert(Monad<IoMonad>);

}  // namespace tapestry::test
