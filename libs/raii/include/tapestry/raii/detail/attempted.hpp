// Defines attempted, which makes a value of the outcome of a Do.
#pragma once

#include <utility>

#include "tapestry/raii/detail/returned_part.hpp"
#include "tapestry/raii/resourcet/resource.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The same resource, of which the value or the error is the value. A value that goes back where it is
/// dropped, such as an item of a channel, still does.
template <class A>
Resource<UnitContinuationMonad, Try<Try<A>>> attempted(Resource<UnitContinuationMonad, Try<A>> acquired) {
  Release<UnitContinuationMonad> release = std::move(acquired.release);
  if (release && UnitContinuationMonad::isReturn(*release))
    release = returnedPart<Try<Try<A>>, Try<A>>(
        *std::move(release), [](Try<Try<A>>& whole) noexcept { return std::move(whole.get()); });
  return {Try<Try<A>>::success(std::move(acquired.value)), std::move(release)};
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
