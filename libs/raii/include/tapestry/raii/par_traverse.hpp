// Defines parTraverse of Do, which runs a program for each element of a range, at most `limit` at a time.
#pragma once

#include <span>  // the concepts of ranges, without the views
#include <type_traits>
#include <utility>

#include "tapestry/continuation/extend/gather.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/raii/detail/do_join.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The Do that the function makes of an element.
template <class R, class F>
using DoOfElement = ResultOf<F, std::ranges::range_reference_t<R>>;

template <class R, class F>
concept DoTraversableBy = std::ranges::input_range<R> && canBeCopied<R> && isDo<DoOfElement<R, F>>;

/// The acquire of an element's Do, within the scope of the traversal, or, if `scoped`, within a scope of its
/// own; an exception from the function is the error of its element.
template <class R, class F, bool scoped>
struct AcquireElement {
  using Made = DoOfElement<R, F>;
  UnitContinuation<typename Made::Acquired> operator()(std::ranges::range_reference_t<R> element) const {
    try {
      auto made = function(std::forward<std::ranges::range_reference_t<R>>(element));
      if constexpr (scoped)
        return std::move(made).run().acquire();
      else
        return std::move(made).acquire();
    } catch (...) {
      return Made::raiseError(std::current_exception()).acquire();
    }
  }
  F function;
};

/// Puts a std::vector of the values, or nothing if B is void, with the releases of all branches.
template <class B, class Outcomes>
struct TraversedDos {
  using ValueType = typename Do<B>::Acquired;

  static void finish(Run& run, Outcomes& outcomes, bool exhausted) {
    BranchesEnd end(outcomes, exhausted);
    if (!exhausted) return end.fail<B>(run);
    end.join<B>(run, [&] {
      if constexpr (!std::is_void_v<B>) return valuesOf(outcomes);
    });
  }
};

/// Yields a std::vector of the values, or nothing if B is void. `Acquire` is an AcquireElement.
template <class B, class R, class Acquire>
Do<B> doTraverse(const char* operation, R range, std::size_t limit, Acquire acquire, Location location) {
  using Branches = TraverseFor<FailedTry, B, R, Acquire>;
  return Do<B>(stopToError<B>(Joined<Branches, TraversedDos<B, typename Branches::Outcomes>>(
                                  Branches(operation, std::move(range), limit, std::move(acquire), location)),
                              extend::At{operation, location}));
}

}  // namespace detail

/// As parTraverse of programs that cannot fail, with a function that returns a Do. If a Do fails, the others
/// are cancelled, no further element is begun, and parTraverse fails with the errors, in the order of the
/// range, after all resources have been released; if all succeed, their resources stay until the scope ends.
/// For Do<void> it yields nothing, and keeps nothing but the resources of the Dos that have ended.
template <std::ranges::input_range R, class F>
  requires detail::DoTraversableBy<R, F>
[[nodiscard("a program does nothing until it is run")]] auto parTraverse(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  using A = typename detail::DoOfElement<R, F>::ValueType;
  using Value = std::conditional_t<std::is_void_v<A>, void, std::vector<Stored<A>>>;
  return detail::doTraverse<Value>("parTraverse", std::move(range), limit,
                                   detail::AcquireElement<R, F, false>{std::move(function)}, location);
}

}  // namespace tapestry
#pragma GCC visibility pop
