// Defines flattened, which makes the outcome of a Do from the outcome of its scope.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/continuation/outcome.hpp"
#include "tapestry/raii/error_as.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A>
Outcome<A> flattened(Outcome<Try<A>> outcome) {
  if (outcome.hasError()) return Outcome<A>::error(outcome.error());
  if (!outcome.hasValue()) return Outcome<A>::cancelled();
  Try<A>& result = outcome.get();
  if (!result.hasValue())
    return errorAs<Cancelled>(result.error()) ? Outcome<A>::cancelled() : Outcome<A>::error(result.error());
  try {
    return Outcome<A>::value(std::move(result.get()));
  } catch (...) {
    return Outcome<A>::error(std::current_exception());
  }
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
