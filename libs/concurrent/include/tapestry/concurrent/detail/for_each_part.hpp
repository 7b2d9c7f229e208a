// Defines forEachPart, the walk over the errors that one error represents.
#pragma once

#include <exception>

#include "tapestry/raii/error_as.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Calls f(error) for each of the errors that the error represents.
template <class F>
void forEachPart(const std::exception_ptr& error, const F& f) {
  const auto* const several = errorAs<MultipleException>(error);
  if (!several) return f(error);
  for (const std::exception_ptr& part : several->errors()) f(part);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
