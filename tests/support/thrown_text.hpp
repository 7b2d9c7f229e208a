// Defines thrownText, the message of the exception that a function throws.
#pragma once

#include <exception>
#include <string>

namespace tapestry::test {

/// The message; "none" if the function returns, "unknown" for what is no std::exception.
template <class F>
std::string thrownText(const F& function) {
  try {
    static_cast<void>(function());
    return "none";
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "unknown";
  }
}

}  // namespace tapestry::test
