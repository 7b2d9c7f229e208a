// Defines ExceptionState, the part of the C++ runtime's state of a thread that belongs to a stack.
#pragma once

#include <cxxabi.h>

#include <cstring>

namespace tapestry::detail {

/// The exceptions that are being handled, and the number of those on their way. Without an exchange at every switch, a
/// `throw;` or the end of a handler on one stack would take what another stack is handling.
class ExceptionState {
 public:
  /// Exchanges this with the calling thread's.
  void exchange() noexcept {
    void* const thread = abi::__cxa_get_globals();
    ExceptionState outer;
    std::memcpy(&outer, thread, sizeof outer);
    std::memcpy(thread, this, sizeof outer);
    *this = outer;
  }

 private:
  // the layout of __cxa_eh_globals in the Itanium ABI
  void* caught_ = nullptr;
  unsigned int uncaught_ = 0;
};

}  // namespace tapestry::detail
