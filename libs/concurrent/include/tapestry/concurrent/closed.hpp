// Defines Closed, the error of uses that come after a close.
#pragma once

#include <exception>

#pragma GCC visibility push(default)
namespace tapestry {

/// The error of an operation on a closed object, such as a send to a closed channel.
struct Closed : std::exception {
  const char* what() const noexcept override;
};

}  // namespace tapestry
#pragma GCC visibility pop
