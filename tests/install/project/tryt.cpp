// components: continuation tryt
#include <tapestry/raii/tryt/try_t.hpp>

#include <stdexcept>

#include "plain.hpp"

#if __has_include(<tapestry/raii/resourcet/resource_t.hpp>) || __has_include(<tapestry/testing/identity.hpp>)
#error "the installed copy holds more than the component tryt and what it needs"
#endif

using namespace tapestry;

int main() {
  using T = TryT<Plain>;
  const auto failing = T::map(T::now(1), [](int) -> int { throw std::runtime_error("no"); });
  const auto handled = T::handleError(failing, [](const std::exception_ptr&) { return T::now(42); });
  return !failing.unwrap().value.hasValue() && handled.unwrap().value.get() == 42 ? 0 : 1;
}
