#include "tapestry/raii/direct_style.hpp"

#include <stdexcept>

namespace tapestry::detail {

DoScope& DoScope::of(const StoppableBlock& block) {
  if (!block.scope())
    throw std::logic_error(
        "tapestry::await: a Do was awaited in a block that cannot fail, expected a call in direct<Do>([=] { "
        "... })");
  return static_cast<DoScope&>(*block.scope());
}

void DoScope::stop(Run& run, Errors errors) {
  run.stop(std::move(errors));
  if (release_) finalizeStop(run, std::move(*release_).node());
}

}  // namespace tapestry::detail
