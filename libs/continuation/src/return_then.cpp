#include "tapestry/continuation/detail/return_then.hpp"

#include <typeinfo>

#include "tapestry/continuation/detail/engine/run.hpp"

namespace tapestry::detail {

void ReturnThen::step(Run& run, Keeper::Raw keeper) const {
  run.keep(keeper);
  run.next(*rest.node());
}

bool ReturnThen::takeBack(void* value, const void* type) const noexcept {
  return returning.node()->takeBack(value, type);
}

const ReturnThen* ReturnThen::of(const Release& release) noexcept {
  const ProgramNode& node = *release.node();
  return typeid(node) == typeid(ReturnThen) ? static_cast<const ReturnThen*>(&node) : nullptr;
}

}  // namespace tapestry::detail
