#include "tapestry/raii/detail/registering.hpp"

#include "tapestry/raii/error_as.hpp"

namespace tapestry {

const char* ReleaseCancelled::what() const noexcept {
  return "tapestry::resource: the release threw Cancelled, expected a release that ends";
}

namespace detail {

Errors errorsOfRelease(const std::exception_ptr& error) {
  return Errors(errorAs<Cancelled>(error) ? std::make_exception_ptr(ReleaseCancelled()) : error);
}

}  // namespace detail

}  // namespace tapestry
