#include "tapestry/raii/detail/registering.hpp"

#include "tapestry/raii/error_as.hpp"

namespace tapestry {

const char* ReleaseCancelled::what() const noexcept {
  return "tapestry: a release, finalizer or health check was cancelled, expected one that ends";
}

namespace detail {

Errors errorsOfRelease(const std::exception_ptr& error) {
  if (!error) return Errors();
  if (!isCancellation(error)) return Errors(error);
  const auto* const several = errorAs<MultipleException>(error);
  if (!several) return Errors(std::make_exception_ptr(ReleaseCancelled()));
  Errors errors;
  for (const std::exception_ptr& each : several->errors()) errors.append(errorsOfRelease(each));
  return errors;
}

}  // namespace detail

}  // namespace tapestry
