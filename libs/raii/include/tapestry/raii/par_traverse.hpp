// Defines parTraverse of Do, which runs a program for each element of a range, at most `limit` at a time.
#pragma once

#include <ranges>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/raii/detail/do_traverse.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

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
