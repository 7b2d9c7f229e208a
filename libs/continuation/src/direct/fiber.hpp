// Defines Fiber, a separate stack on which a function runs until it leaves, to be entered again on any
// thread.
#pragma once

#include <cxxabi.h>

#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstring>

#include "../sanitizer.hpp"

#if defined(_LIBCPP_VERSION)
// The runtime of libc++ has this function of the Itanium ABI, and no header that declares it.
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1
#endif

namespace tapestry::detail {

/// The size set by setDirectStackSize, in whole pages.
inline constinit std::atomic<std::size_t> stackSize{std::size_t{128} * 1024};

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

/// Lives at the top of its stack. Below the stack is a guard page.
class Fiber {
 public:
  /// Takes a fiber from the pool, or a new one; null if there is no memory.
  static Fiber* take() noexcept;
  /// Gives the fiber back to the pool. Precondition: ended().
  void giveBack() noexcept;

  /// Prepares function(argument), which the first `enter` calls. The function must not throw.
  void begin(void (*function)(void*), void* argument) noexcept;
  /// Returns when the function leaves or ends.
  void enter() noexcept;
  /// Called in the function; returns at the next `enter`, possibly on another thread.
  void leave() noexcept;
  bool ended() const noexcept { return ended_; }

 private:
  friend class FiberPool;

  /// The size of a new fiber, including its stack.
  static std::size_t newBytes() noexcept { return stackSize.load(std::memory_order_relaxed) * stackFactor; }
  /// Maps memory for a new fiber; null if there is no memory.
  static Fiber* map(std::size_t bytes) noexcept;
  void unmap() noexcept;
  /// The size of this fiber, including its stack.
  std::size_t bytes() const noexcept;

  Fiber(std::byte* bottom, std::size_t bytes) noexcept;
  ~Fiber();
  static void main(boost::context::detail::transfer_t from) noexcept;

  std::byte* const bottom_;  ///< of the stack; above the guard page
  const std::size_t bytes_;  ///< of the stack, up to this object
  Fiber* nextFree_ = nullptr;

  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool ended_ = true;
  void* context_ = nullptr;    ///< at which the fiber continues
  void* caller_ = nullptr;     ///< at which the thread that entered the fiber continues
  ExceptionState exceptions_;  ///< while the fiber runs: the caller's

  void* const tsanFiber_;
  void* tsanCaller_ = nullptr;
  void* fakeStack_ = nullptr;
  const void* callerBottom_ = nullptr;
  std::size_t callerBytes_ = 0;
};

/// The offset of the Fiber object from the end of its memory.
inline constexpr std::size_t headBytes = (sizeof(Fiber) + 63) / 64 * 64;

inline std::size_t Fiber::bytes() const noexcept { return bytes_ + headBytes; }

// Inline, since processors cannot predict a return after a jump.

TAPESTRY_UNSANITIZED inline void Fiber::enter() noexcept {
  exceptions_.exchange();
  tsanCaller_ = tsanCurrent();
  void* fakeStack = nullptr;
  asanLeave(&fakeStack, bottom_, bytes_);
  tsanSwitch(tsanFiber_);
  context_ = boost::context::detail::jump_fcontext(context_, this).fctx;
  asanArrive(fakeStack, nullptr, nullptr);
  exceptions_.exchange();
}

TAPESTRY_UNSANITIZED inline void Fiber::leave() noexcept {
  asanLeave(&fakeStack_, callerBottom_, callerBytes_);
  tsanSwitch(tsanCaller_);
  caller_ = boost::context::detail::jump_fcontext(caller_, nullptr).fctx;
  asanArrive(fakeStack_, &callerBottom_, &callerBytes_);
}

}  // namespace tapestry::detail
