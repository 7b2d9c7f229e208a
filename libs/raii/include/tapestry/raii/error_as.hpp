// Defines errorAs, which looks at an error without throwing it.
#pragma once

#include <exception>
#include <type_traits>
#include <typeinfo>
#include <version>

#if defined(_LIBCPP_VERSION)
#include <cxxabi.h>
#endif

#include "tapestry/continuation/extend/trace.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

class Errors;

namespace detail {

#if defined(_LIBCPP_VERSION) && defined(__cpp_rtti)
/// libc++ cannot report the type of the exception behind a pointer; a catch handler finds it.
template <class E>
const E* caughtAs(const std::exception_ptr& error) noexcept {
  if (!error) return nullptr;
  try {
    std::rethrow_exception(error);
  } catch (const E& caught) {
    if constexpr (!std::is_pointer_v<E>) return &caught;
    // a handler has a copy of a pointer
    if (*abi::__cxa_current_exception_type() != typeid(E)) return nullptr;
    return static_cast<const E*>(objectOf(error));
  } catch (...) {
    return nullptr;
  }
}
#else
/// The address of the exception object as a handler of that type would get it, or null.
const void* caughtAs(const std::exception_ptr& error, const std::type_info& type) noexcept;

/// The same for a final type, which needs no search for base classes.
const void* caughtAsFinal(const std::exception_ptr& error, const std::type_info& type) noexcept;
#endif

}  // namespace detail

/// The error, if a `catch (const E&)` would catch it, else null; if E is a pointer, only an error of the type
/// E itself, not a pointer to a derived class. It lives as long as a copy of the std::exception_ptr. Cost:
/// some nanoseconds, while throwing and catching it takes microseconds; with libc++, it is thrown.
template <class E>
const E* errorAs(const std::exception_ptr& error) noexcept {
#if defined(__cpp_rtti) && defined(_LIBCPP_VERSION)
  return detail::caughtAs<E>(error);
#elif defined(__cpp_rtti)
  constexpr auto caught = std::is_final_v<E> ? detail::caughtAsFinal : detail::caughtAs;
  return static_cast<const E*>(caught(error, typeid(E)));
#else
#error "tapestry/raii.hpp: needs run-time type information, got -fno-rtti, expected -frtti"
  return nullptr;
#endif
}

namespace detail {

/// Whether the error is Cancelled, or a MultipleException that contains Cancelled.
bool isCancellation(const std::exception_ptr& error);

/// The error with replacement(), which may be null, for each Cancelled in it. None for a null pointer.
Errors replaceCancelled(const std::exception_ptr& error, std::exception_ptr (*replacement)());

/// The error without each Cancelled in it. Null for a null pointer, and if nothing else is in it.
std::exception_ptr withoutCancelled(const std::exception_ptr& error);

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
