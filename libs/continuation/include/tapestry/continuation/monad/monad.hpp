// Defines Monad, the operations of a monad that the transformers TryT and ResourceT require.
#pragma once

#include <concepts>
#include <tuple>
#include <utility>

#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/continuation/monad/unit.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class R>
struct Always {
  template <class A>
  R operator()(A) const;
};

}  // namespace detail

/// A monad is passed as a tag M, so that transformers stack:
///   M::Type<A>                     a computation that yields A, which is not void
///   M::now(a)                      yields a
///   M::map(fa, f)                  applies f to the value of fa
///   M::flatMap(fa, f)              continues with f(a), an M::Type<B>
///   M::mask(fa)                    fa, not interrupted by requests to stop
///   M::onStop(fa, finalizer)       fa; if it is stopped, runs the finalizer, an M::Type<Errors>, masked
/// A value whose type has members `abandon()`, an M::Type<Errors>, and `errors()` is never dropped: if M sees
/// a request to stop while it holds such a value, it runs `abandon()` and stops with `errors()`.
template <class M>
concept Monad = requires(typename M::template Type<Unit> fa, typename M::template Type<Errors> finalizer) {
  { M::now(Unit{}) } -> std::convertible_to<typename M::template Type<Unit>>;
  { M::map(fa, detail::Always<Unit>()) } -> std::convertible_to<typename M::template Type<Unit>>;
  {
    M::flatMap(fa, detail::Always<typename M::template Type<Unit>>())
  } -> std::convertible_to<typename M::template Type<Unit>>;
  { M::mask(fa) } -> std::convertible_to<typename M::template Type<Unit>>;
  { M::onStop(fa, finalizer) } -> std::convertible_to<typename M::template Type<Unit>>;
};

namespace detail {

/// A value that a function object moves out when it is called, for programs that are made within a run and
/// run once.
template <class A>
class Once {
 public:
  explicit Once(A value) : value_(std::move(value)) {}
  A take() const { return std::move(value_); }

 private:
  mutable A value_;
};

/// Several values as one: void for none, the type of a single value, else a std::tuple of the types.
template <class... Values>
struct OneValue {
  using Type = std::tuple<Values...>;
};
template <class Value>
struct OneValue<Value> {
  using Type = Value;
};
template <>
struct OneValue<> {
  using Type = void;
};

/// Moves the function to the place where this is called.
template <class F>
struct Moving {
  F operator()() const { return std::move(function); }
  F& function;
};

/// M::map(fa, make()). A monad that has mapMade constructs the function only where it is kept: a closure that
/// captures a `const T&` by copy has a const member, so moving the closure copies the T.
template <Monad M, class FA, class Make>
auto mapMade(FA&& fa, const Make& make) {
  if constexpr (requires { M::mapMade(std::forward<FA>(fa), make); })
    return M::mapMade(std::forward<FA>(fa), make);
  else
    return M::map(std::forward<FA>(fa), make());
}
/// As mapMade, for flatMap.
template <Monad M, class FA, class Make>
auto flatMapMade(FA&& fa, const Make& make) {
  if constexpr (requires { M::flatMapMade(std::forward<FA>(fa), make); })
    return M::flatMapMade(std::forward<FA>(fa), make);
  else
    return M::flatMap(std::forward<FA>(fa), make());
}

/// Yields a value that need not be copyable, in a program that is run once.
template <Monad M, class A>
auto give(A value) {
  return M::map(M::now(Unit{}), [once = Once<A>(std::move(value))](Unit) { return once.take(); });
}

/// As flatMap if the value meets the condition. Otherwise yields the value, in an M that has flatMapIf as if
/// no function had got it.
template <Monad M, class FA, class P, class F>
FA flatMapIf(FA fa, P condition, F function) {
  if constexpr (requires { M::flatMapIf(std::move(fa), std::move(condition), std::move(function)); })
    return M::flatMapIf(std::move(fa), std::move(condition), std::move(function));
  else
    return M::flatMap(std::move(fa),
                      [condition = std::move(condition), function = std::move(function)](auto value) -> FA {
                        if (!condition(std::as_const(value))) return give<M>(std::move(value));
                        return function(std::move(value));
                      });
}

}  // namespace detail

/// Runs the first, then the second, and yields both values: the product in sequence that every monad has.
template <Monad M, class FA, class FB>
auto tuple2(FA first, FB second) {
  return M::flatMap(std::move(first), [second = std::move(second)](const auto& a) {
    return M::map(second, [a](const auto& b) { return std::tuple(a, b); });
  });
}

}  // namespace tapestry
#pragma GCC visibility pop
