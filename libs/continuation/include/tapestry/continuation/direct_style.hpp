// Defines direct, which makes a program of a block that is written in direct style: the paper's !-notation.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/block_program.hpp"
#include "tapestry/continuation/detail/unit_block.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry {

template <class A>
class Coroutine;

/// DirectStyle<M>::make<Carrier>(block, location) is the M of the block; to be specialised for each M.
template <template <class> class M>
struct DirectStyle;

template <>
struct DirectStyle<UnitContinuation> {
  template <class Carrier>
  static auto make(typename Carrier::Function block, detail::Location location) {
    using Block = detail::UnitBlock<Carrier>;
    return UnitContinuation<typename Block::ValueType>(
        detail::BlockProgram<Block>(std::move(block), location));
  }
};

namespace detail {

/// Runs a block on a fiber; defined by tapestry/continuation/direct/direct.hpp.
template <class F>
class FiberCarrier;
/// Runs a block that returns a Coroutine; defined by tapestry/continuation/coroutine/coroutine.hpp.
template <class F>
class CoroutineCarrier;

template <class F, class Result>
struct CarrierOf {
  using Type = FiberCarrier<F>;
};
template <class F, class A>
struct CarrierOf<F, Coroutine<A>> {
  using Type = CoroutineCarrier<F>;
};

template <class T>
inline constexpr bool isDefined = requires { sizeof(T); };

}  // namespace detail

/// direct<UnitContinuation>(block) is the program, a UnitContinuation<A>, that calls the block in every run
/// and yields what it returns. The block may await programs: on a fiber, [=] { ... await(x) ... }, see
/// tapestry/continuation/direct/direct.hpp; or in a coroutine, [=]() -> Coroutine<A> { ... co_await x ... },
/// see tapestry/continuation/coroutine/coroutine.hpp. Captures should be by value, since the program outlives
/// the function that made it.
///
/// A block whose run is asked to stop, or stopped, is not abandoned: its await throws Cancelled, or the error
/// that the run was stopped with, and so does every later await. However the block ends then, the run goes on
/// stopping. In UnitContinuation any other exception that leaves the block ends the process.
template <template <class> class M, class F>
[[nodiscard("a program does nothing until it is run")]] auto direct(
    F block, detail::Location location = detail::Location::current()) {
  constexpr bool callable = std::invocable<const F&>;
  static_assert(callable,
                "tapestry::direct: expected a block that takes no argument, [=] { ... }, not mutable");
  if constexpr (callable) {
    using Carrier = typename detail::CarrierOf<F, detail::ResultOf<F, void>>::Type;
    constexpr bool hasCarrier = detail::isDefined<Carrier>;
    static_assert(
        hasCarrier,
        "tapestry::direct: got a block that returns no Coroutine, expected one, or fibers to run it "
        "on, from tapestry/continuation/direct/direct.hpp (link tapestry::direct)");
    constexpr bool hasStyle = detail::isDefined<DirectStyle<M>>;
    static_assert(hasStyle,
                  "tapestry::direct: expected direct<UnitContinuation> or direct<Do>, which is in "
                  "tapestry/raii/direct/direct.hpp and tapestry/raii/coroutine/coroutine.hpp");
    if constexpr (hasCarrier && hasStyle)
      return DirectStyle<M>::template make<Carrier>(std::move(block), location);
    else
      return detail::AnyProgram();  // the static_assert has said it all
  } else {
    return detail::AnyProgram();
  }
}

template <class T = void>
detail::Misfit direct(detail::Misfit, detail::Misfit = {}) {
  static_assert(detail::fits<T>,
                "tapestry::direct: expected direct<M>(block), such as direct<UnitContinuation>");
  return {};
}

}  // namespace tapestry
