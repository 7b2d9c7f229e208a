// Defines At, a place that adds itself to the traces of errors.
#pragma once

#include <exception>
#include <source_location>
#include <string_view>

namespace tapestry::detail {

/// Adds the place to the error's trace, unless the place is unknown or in a header of the library. Ignores a
/// null error.
void notePlace(const std::exception_ptr& error, const char* operation, const std::source_location& location,
               std::string_view name = {}) noexcept;

struct At {
  const char* operation = nullptr;
  std::source_location location = {};

  const std::exception_ptr& operator()(const std::exception_ptr& error) const noexcept {
    notePlace(error, operation, location);
    return error;
  }
};

}  // namespace tapestry::detail
