// Defines At, a place that adds itself to the traces of errors, and objectOf, which identifies an error.
#pragma once

#include <exception>
#include <source_location>
#include <string_view>
#include <utility>

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Adds the place to the error's trace, unless the place is unknown or in a header of the library.
/// Precondition: the error is not null.
void addPlace(const std::exception_ptr& error, const char* operation, const std::source_location& location,
              std::string_view name) noexcept;

/// As addPlace; ignores a null error, at the cost of a comparison.
inline void notePlace(const std::exception_ptr& error, const char* operation,
                      const std::source_location& location, std::string_view name = {}) noexcept {
  if (error) [[unlikely]]
    addPlace(error, operation, location, name);
}

/// Identifies the exception object, whose address std::exception_ptr holds; null for a null pointer.
inline const void* objectOf(const std::exception_ptr& error) noexcept {
  const void* object = nullptr;
  static_assert(sizeof error == sizeof object);
  __builtin_memcpy(&object, &error, sizeof object);
  return object;
}

struct At {
  const char* operation = nullptr;
  std::source_location location = {};

  const std::exception_ptr& operator()(const std::exception_ptr& error) const noexcept {
    notePlace(error, operation, location);
    return error;
  }
  std::exception_ptr operator()(std::exception_ptr&& error) const noexcept {
    notePlace(error, operation, location);
    return std::move(error);
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
