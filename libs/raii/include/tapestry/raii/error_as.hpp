// Defines errorAs, which looks at an error without throwing it.
#pragma once

#include <exception>
#include <typeinfo>

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The address of the exception object as a handler of that type would get it, or null.
const void* caughtAs(const std::exception_ptr& error, const std::type_info& type) noexcept;

}  // namespace detail

/// The error, if a `catch (const E&)` would catch it, else null. It lives as long as a copy of the pointer.
/// Cost: some nanoseconds, while throwing and catching it takes microseconds.
template <class E>
const E* errorAs(const std::exception_ptr& error) noexcept {
#ifdef __cpp_rtti
  return static_cast<const E*>(detail::caughtAs(error, typeid(E)));
#else
#error "tapestry/raii.hpp: needs run-time type information, got -fno-rtti, expected -frtti"
  return nullptr;
#endif
}

}  // namespace tapestry
#pragma GCC visibility pop
