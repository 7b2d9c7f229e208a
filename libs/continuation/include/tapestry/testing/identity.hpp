// Defines Identity, the monad without effects, with which transformers are tested without a run loop.
#pragma once

#include <utility>

#include "tapestry/continuation/monad/monad.hpp"

#pragma GCC visibility push(default)
namespace tapestry::testing {

/// A value. Its computations take place when they are built. It is never stopped, and errors are C++
/// exceptions.
template <class A>
struct Identity {
  A value;
  friend bool operator==(const Identity&, const Identity&) = default;
};

/// The tag of the monad, for TryT and ResourceT.
struct IdentityMonad {
  template <class A>
  using Type = Identity<A>;

  template <class A>
  static Identity<A> now(A value) {
    return {std::move(value)};
  }
  template <class A, class F>
  static auto map(Identity<A> source, F function) {
    return now(function(std::move(source.value)));
  }
  template <class A, class F>
  static auto flatMap(Identity<A> source, F function) {
    return function(std::move(source.value));
  }
  template <class A>
  static Identity<A> mask(Identity<A> source) {
    return source;
  }
  template <class A>
  static Identity<A> onStop(Identity<A> source, Identity<Errors>) {
    return source;
  }
};

static_assert(Monad<IdentityMonad>);

}  // namespace tapestry::testing
#pragma GCC visibility pop
