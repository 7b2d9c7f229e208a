// Defines headerOf, which finds the header that the C++ runtime puts before an exception object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <typeinfo>

#include "tapestry/continuation/monad/detail/at.hpp"

namespace tapestry::detail {

using ExceptionDestructor = void (*)(void* object);

/// The part of the header before an exception object that has been stable in the Itanium C++ ABI since 1999:
/// the type and the destructor of the object.
struct ExceptionHeader {
  const std::type_info* type;
  ExceptionDestructor destructor;
};

/// The size of the unwinder's header, four aligned words, which lies directly before the object.
inline constexpr std::size_t unwindSize = 4 * sizeof(void*);

/// Whether the header has the layout that is expected. libc++ does not expose the type of an error: there,
/// the first word of the unwinder's header names the language of the exception and its runtime, which has
/// this layout.
inline bool hasLayout([[maybe_unused]] const std::exception_ptr& error,
                      [[maybe_unused]] const ExceptionHeader* header,
                      [[maybe_unused]] const char* object) noexcept {
#if defined(_LIBCPP_VERSION)
  constexpr std::uint64_t clangCxx = 0x434C4E47432B2B00;  // "CLNGC++\0"
  std::uint64_t kind = 0;
  std::memcpy(&kind, object - unwindSize, sizeof kind);
  return kind == clangCxx;
#else
  return header->type == error.__cxa_exception_type();
#endif
}

/// The header, or null if this platform has another layout.
inline ExceptionHeader* headerOf(const std::exception_ptr& error) noexcept {
  if constexpr (sizeof(void*) != 8) return nullptr;
  // three handlers and a link, two counts, and four addresses
  constexpr std::size_t size =
      sizeof(ExceptionHeader) + 3 * sizeof(void*) + 2 * sizeof(int) + 4 * sizeof(void*) + unwindSize;
  auto* const object = static_cast<char*>(const_cast<void*>(objectOf(error)));
  auto* const header = reinterpret_cast<ExceptionHeader*>(object - size);
  return hasLayout(error, header, object) ? header : nullptr;
}

}  // namespace tapestry::detail
