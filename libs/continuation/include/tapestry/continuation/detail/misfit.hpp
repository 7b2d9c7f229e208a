// Defines Misfit, by which a combinator that is called with something wrong says in one line what it expects.
#pragma once

#include <concepts>
#include <exception>

namespace tapestry::detail {

class Run;
class Node;

/// The result of a call that a static_assert has refused. It converts to everything, so that the compiler
/// reports no second error.
struct Anything {
  template <class T>
  operator T() const {
    std::terminate();
  }

  // else they find each operand that this converts to
  template <class T>
  friend bool operator==(const Anything&, const T&) {
    return false;
  }
  template <class T>
  friend Anything operator+(const Anything&, const T&) {
    return {};
  }
  template <class T>
  friend T& operator<<(T& stream, const Anything&) {
    return stream;
  }
};

/// The operations of programs, of a program of anything: none looks at what it is given.
template <class Derived>
struct AnyOperations {
  using ValueType = Anything;

  Derived map(const auto&...) const { return {}; }
  Derived flatMap(const auto&...) const { return {}; }
  Derived intransitiveMap(const auto&...) const { return {}; }
  Derived intransitiveFlatMap(const auto&...) const { return {}; }
  Derived handleError(const auto&...) const { return {}; }
  Derived attempt() const { return {}; }
  Derived named(const auto&...) const { return {}; }
  Derived shared(const auto&...) const { return {}; }
  Derived run() const { return {}; }
  void onComplete(const auto&...) const {}
  Anything blockingAwait(const auto&...) const { return {}; }

  /// A UnitContinuation or a Do.
  template <template <class> class M, class A>
    requires(std::same_as<typename M<A>::ValueType, A> && !std::same_as<A, Anything>)
  operator M<A>() const {
    std::terminate();
  }
};

/// What a function returns whose static_assert has said it all. Other than a Misfit, it is a program as
/// others to the overloads that take one.
struct AnyProgram : AnyOperations<AnyProgram> {
  void step(Run& run, const Node* owned) const;  // never called
};

/// Takes the place of arguments in an overload that is chosen when no other is viable, here and in what the
/// user declares by the same name, since everything converts to it, and nothing is one:
///
///     template <class T = void>
///     detail::Misfit mask(detail::Misfit) {
///       static_assert(detail::fits<T>, "tapestry::mask: expected a program");
///       return {};
///     }
///
/// It is a program of anything, so that the use of what is returned is no further error.
struct Misfit : AnyProgram {
  template <class... Ts>
  Misfit(const Ts&...) noexcept {}
};

template <class>
inline constexpr bool fits = false;

}  // namespace tapestry::detail
