// Defines ExceptionState, the part of the C++ runtime's state per thread that belongs to a stack.
#pragma once

#include <cxxabi.h>

#include <cstddef>
#include <cstring>

#if defined(_LIBCPP_VERSION)
// The runtime of libc++ has this function of the Itanium ABI, and no header that declares it.
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1
#endif

namespace tapestry::detail {

/// The exceptions that are being handled, and the number of uncaught exceptions. Without an exchange at every
/// switch, a `throw;` or the end of a handler on one stack would use an exception that another stack is
/// handling.
class ExceptionState {
 public:
  /// Exchanges this state with the calling thread's state.
  void exchange() noexcept {
    auto* const thread = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
    exchange(caught_, thread);
    exchange(uncaught_, thread + sizeof caught_);
  }

 private:
  template <class T>
  static void exchange(T& mine, std::byte* theirs) noexcept {
    T outer;
    std::memcpy(&outer, theirs, sizeof outer);
    std::memcpy(theirs, &mine, sizeof mine);
    mine = outer;
  }

  // the layout of __cxa_eh_globals in the Itanium ABI
  void* caught_ = nullptr;
  unsigned int uncaught_ = 0;
};

}  // namespace tapestry::detail
