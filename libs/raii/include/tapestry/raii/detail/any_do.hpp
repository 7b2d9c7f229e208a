// Specialises Do for Anything: AnyProgram where a Do is expected.
#pragma once

#include "tapestry/continuation/detail/misfit.hpp"
#include "tapestry/raii/do_constructors.hpp"

namespace tapestry {

template <>
class Do<detail::Anything> : public DoConstructors<detail::Anything>,
                             public detail::AnyOperations<Do<detail::Anything>> {
 public:
  explicit Do(const auto&...) noexcept {}
  Do() noexcept = default;

  UnitContinuation<Acquired> acquire() const { return detail::AnyProgram(); }
};

namespace detail {
using AnyDo = Do<Anything>;
}

}  // namespace tapestry
