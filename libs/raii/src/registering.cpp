#include "tapestry/raii/detail/registering.hpp"

#include "tapestry/raii/error_as.hpp"

namespace tapestry {

const char* ReleaseCancelled::what() const noexcept {
  return "tapestry: a release, finalizer or health check was cancelled, expected one that ends";
}

namespace detail {

Errors errorsOfRelease(const std::exception_ptr& error) {
  return replaceCancelled(error, [] { return std::make_exception_ptr(ReleaseCancelled()); });
}

}  // namespace detail

}  // namespace tapestry
