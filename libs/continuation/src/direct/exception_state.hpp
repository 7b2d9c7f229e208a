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
    Globals outer;
    std::memcpy(&outer, thread, sizeof outer);
    std::memcpy(thread, &globals_, sizeof globals_);
    globals_ = outer;
  }

 private:
  /// The layout of __cxa_eh_globals in the Itanium ABI.
  struct Globals {
    void* caught = nullptr;
    unsigned int uncaught = 0;
  };

  Globals globals_;
};

}  // namespace tapestry::detail
