// components: continuation resourcet
#include <tapestry/raii/resourcet/resource_t.hpp>

#include <stdexcept>

#include "plain.hpp"

#if __has_include(<tapestry/raii/tryt/try_t.hpp>) || __has_include(<tapestry/testing/identity.hpp>)
#error "the installed copy holds more than the component resourcet and what it needs"
#endif

using namespace tapestry;

int main() {
  using M = Plain;
  using T = ResourceT<M>;
  const Errors broken(std::make_exception_ptr(std::runtime_error("broken")));
  const T::Type<Errors> held(M::now(Resource<M, Errors>{Errors(), M::now(broken)}));
  const auto kept = T::flatMap(held, [](const Errors&) { return T::now(42); });
  return kept.acquire().value.release && T::run(T::now(42)).value == 42 && !T::run(held).value.empty() ? 0
                                                                                                       : 1;
}
