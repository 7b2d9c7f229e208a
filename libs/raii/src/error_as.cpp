#include "tapestry/raii/error_as.hpp"

#include <algorithm>

#include "tapestry/continuation/monad/errors.hpp"

namespace tapestry::detail {

bool isCancellation(const std::exception_ptr& error) {
  if (errorAs<Cancelled>(error)) return true;
  const auto* const several = errorAs<MultipleException>(error);
  return several && std::ranges::any_of(several->errors(), isCancellation);
}

}  // namespace tapestry::detail

#if !defined(_LIBCPP_VERSION)

namespace tapestry::detail {

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
  const std::type_info& thrown = *error.__cxa_exception_type();
  // most names that differ do so in the first two characters, which need no call of strcmp
  const char *const name = thrown.name(), *const expected = type.name();
  if (name[0] != expected[0] || name[1] != expected[1]) return nullptr;
  return thrown == type ? objectOf(error) : nullptr;
}

}  // namespace tapestry::detail

#endif
