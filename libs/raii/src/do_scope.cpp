#include "tapestry/raii/detail/do_scope.hpp"

#include <stdexcept>

namespace tapestry::detail {

DoScope& DoScope::checkedCurrent() {
  auto* const scope = dynamic_cast<DoScope*>(&DirectBlock::checkedCurrent());
  if (!scope)
    throw std::logic_error(
        "tapestry::await: a Do was awaited in a block that cannot fail, expected a call in direct<Do>([=] { "
        "... })");
  return *scope;
}

void DoScope::stop(Run& run, const std::exception_ptr& error) {
  Errors errors = takeStopped();
  if (error) errors.append(error);
  run.stop(std::move(errors));
  if (release_) finalizeStop(run, std::move(*release_).node());
}

}  // namespace tapestry::detail
