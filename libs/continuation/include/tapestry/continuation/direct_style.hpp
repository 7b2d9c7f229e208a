// Defines direct, which makes a program from a block in direct style: the paper's !-notation.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/stoppable_block.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class Coroutine;

/// DirectStyle<M>::make<Carrier>(block, location) makes an M from the block. Specialised for each M.
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

template <class F>
using CarrierFor = typename CarrierOf<F, ResultOf<F, void>>::Type;

template <class T>
inline constexpr bool isDefined = requires { sizeof(T); };
template <class F>
inline constexpr bool hasCarrier = isDefined<CarrierFor<F>>;

}  // namespace detail

/// direct<UnitContinuation>(block) is the program, a UnitContinuation<A>, that calls the block in every run
/// and yields its result. The block may await programs: on a fiber, [=] { ... await(x) ... }, see
/// tapestry/continuation/direct/direct.hpp; or in a coroutine, [=]() -> Coroutine<A> { ... co_await x ... },
/// see tapestry/continuation/coroutine/coroutine.hpp. Captures should be by value, since the program outlives
/// the function that made it.
///
/// When its run is asked to stop, or is stopped, a block is not abandoned: its await throws Cancelled, or the
/// error that the run was stopped with, and so does every later await. However the block then ends, the run
/// continues stopping. In UnitContinuation any other exception that leaves the block ends the process.
template <template <class> class M, class F>
  requires std::invocable<const F&> && detail::hasCarrier<F> && detail::isDefined<DirectStyle<M>>
[[nodiscard("a program does nothing until it is run")]] auto direct(
    F block, detail::Location location = detail::Location::current()) {
  return DirectStyle<M>::template make<detail::CarrierFor<F>>(std::move(block), location);
}

template <template <class> class M, class F>
  requires std::invocable<const F&> && (!detail::hasCarrier<F>)
void direct(F) = delete;  // expected tapestry/continuation/direct/direct.hpp, or a block of a Coroutine
template <template <class> class M, class F>
  requires std::invocable<const F&> && detail::hasCarrier<F> && (!detail::isDefined<DirectStyle<M>>)
void direct(F) = delete;  // expected direct<UnitContinuation>, or direct<Do> and its header in tapestry/raii
template <template <class> class...>
void direct(...) = delete;  // expected direct<M>(block), such as direct<Do>([=] { ... }), not mutable

}  // namespace tapestry
#pragma GCC visibility pop
