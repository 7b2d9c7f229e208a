#include "tapestry/concurrent/stream/detail/zip.hpp"

#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/raii/error_as.hpp"

namespace tapestry::detail {

std::exception_ptr withoutEnd(const std::exception_ptr& error) {
  Errors others;
  const auto add = [&others](const std::exception_ptr& part) {
    if (!errorAs<OneHasEnded>(part)) others.append(part);
  };
  if (const auto* const several = errorAs<MultipleException>(error))
    for (const auto& part : several->errors()) add(part);
  else
    add(error);
  return others.toException();
}

}  // namespace tapestry::detail
