#include "tapestry/raii/error_as.hpp"

#include <algorithm>

#include "tapestry/continuation/monad/errors.hpp"

#if !defined(_LIBCPP_VERSION)

namespace tapestry::detail {

namespace {

bool isType(const std::type_info& thrown, const std::type_info& expected) noexcept {
  // most names that differ do so in the first two characters, which need no call of strcmp
  const char *const a = thrown.name(), *const b = expected.name();
  return a[0] == b[0] && a[1] == b[1] && thrown == expected;
}

}  // namespace

const void* caughtAs(const std::exception_ptr& error, const std::type_info& type) noexcept {
  if (!error) return nullptr;
  // the checks of the C++ ABI's own search for a handler
  void* object = const_cast<void*>(objectOf(error));
  const std::type_info* thrown = error.__cxa_exception_type();
  if (type.__is_pointer_p()) return type == *thrown ? object : nullptr;
  if (thrown->__is_pointer_p()) return nullptr;
  return type.__do_catch(thrown, &object, 1) ? object : nullptr;
}

const void* caughtAsFinal(const std::exception_ptr& error, const std::type_info& type) noexcept {
  if (!error) return nullptr;
  return isType(*error.__cxa_exception_type(), type) ? objectOf(error) : nullptr;
}

}  // namespace tapestry::detail

#endif

namespace tapestry::detail {

bool isCancellation(const std::exception_ptr& error) {
  if (errorAs<Cancelled>(error)) return true;
  const auto* const several = errorAs<MultipleException>(error);
  return several && std::ranges::any_of(several->errors(), isCancellation);
}

Errors replaceCancelled(const std::exception_ptr& error, std::exception_ptr (*replacement)()) {
  if (!error) return Errors();
  if (!isCancellation(error)) return Errors(error);
  const auto* const several = errorAs<MultipleException>(error);
  if (!several) {
    const std::exception_ptr replaced = replacement();
    return replaced ? Errors(replaced) : Errors();
  }
  Errors errors;
  for (const std::exception_ptr& each : several->errors()) errors.append(replaceCancelled(each, replacement));
  return errors;
}

std::exception_ptr withoutCancelled(const std::exception_ptr& error) {
  if (!isCancellation(error)) return error;
  return replaceCancelled(error, [] { return std::exception_ptr(); }).toException();
}

}  // namespace tapestry::detail
