// Defines Plain, a monad of the user's own, for resourcet and tryt.
#pragma once

#include <tapestry/continuation/monad/errors.hpp>

#include <utility>

/// A value.
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
  static Type<A> onStop(Type<A> source, const Type<tapestry::Errors>&) {
    return source;
  }
};
