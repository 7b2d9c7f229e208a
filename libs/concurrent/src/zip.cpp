#include "tapestry/concurrent/stream/detail/zip.hpp"

#include "tapestry/concurrent/detail/for_each_part.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/raii/error_as.hpp"

namespace tapestry::detail {

std::exception_ptr withoutEnd(const std::exception_ptr& error) {
  Errors others;
  forEachPart(error, [&others](const std::exception_ptr& part) {
    if (!errorAs<OneHasEnded>(part)) others.append(part);
  });
  return others.toException();
}

}  // namespace tapestry::detail
