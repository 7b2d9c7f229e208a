#include "fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "tapestry/continuation/direct/direct.hpp"

namespace tapestry::detail {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;

namespace {

std::size_t pageBytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

Fiber::Fiber(std::byte* bottom, std::size_t bytes) noexcept
    : bottom_(bottom), bytes_(bytes), tsanFiber_(tsanCreate()) {}

Fiber::~Fiber() { tsanDestroy(tsanFiber_); }

Fiber* Fiber::map(std::size_t bytes) noexcept {
  const std::size_t guard = pageBytes();
  void* const memory = ::mmap(nullptr, guard + bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (::mprotect(memory, guard, PROT_NONE) != 0) {
    ::munmap(memory, guard + bytes);
    return nullptr;
  }
  auto* const bottom = static_cast<std::byte*>(memory) + guard;
  return ::new (bottom + bytes - headBytes) Fiber(bottom, bytes - headBytes);
}

void Fiber::unmap() noexcept {
  std::byte* const bottom = bottom_;
  const std::size_t mapped = pageBytes() + bytes();
  this->~Fiber();
  ::munmap(bottom - pageBytes(), mapped);
}

void Fiber::begin(void (*function)(void*), void* argument) noexcept {
  function_ = function;
  argument_ = argument;
  ended_ = false;
  fakeStack_ = nullptr;
  asanForget(bottom_, bytes_);
  context_ = make_fcontext(bottom_ + bytes_, bytes_, main);
}

/// Free fibers: a few for each thread, and a depot for all threads. A fiber with another size than new fibers
/// is unmapped when it is taken or given back.
class FiberPool {
 public:
  static Fiber* take() noexcept {
    const std::size_t bytes = Fiber::newBytes();
    for (;;) {
      if (!thread.head) refill();
      if (!thread.head) return Fiber::map(bytes);
      Fiber* const fiber = pop(thread);
      if (fiber->bytes() == bytes) return fiber;
      fiber->unmap();
    }
  }

  static void give(Fiber* fiber) noexcept {
    if (fiber->bytes() != Fiber::newBytes()) return fiber->unmap();
    if (thread.count == thread.limit) {
      beginCaching();
      const std::lock_guard lock(depot().mutex);
      while (thread.count > thread.limit / 2 && depot().free.count < depot().free.limit)
        push(depot().free, pop(thread));
    }
    if (thread.count < thread.limit)
      push(thread, fiber);
    else
      fiber->unmap();
  }

 private:
  struct List {
    Fiber* head = nullptr;
    unsigned count = 0;
    unsigned limit = 0;
  };

  /// Never destroyed, so that blocks may run during static destruction.
  struct Depot {
    std::mutex mutex;
    List free{nullptr, 0, 512};
  };

  /// Gives this thread's fibers back when the thread ends.
  struct ExitHook {
    ExitHook() noexcept { thread.limit = 32; }
    ~ExitHook() {
      thread.limit = 0;
      while (thread.head) {
        Fiber* const fiber = pop(thread);
        const std::lock_guard lock(depot().mutex);
        if (depot().free.count < depot().free.limit)
          push(depot().free, fiber);
        else
          fiber->unmap();
      }
    }
  };

  static Depot& depot() noexcept {
    static Depot* const instance = new Depot;
    return *instance;
  }

  static void beginCaching() noexcept { static thread_local ExitHook hook; }

  static void refill() noexcept {
    beginCaching();
    const std::lock_guard lock(depot().mutex);
    while (thread.count < thread.limit / 4 && depot().free.head) push(thread, pop(depot().free));
  }

  static void push(List& list, Fiber* fiber) noexcept {
    fiber->nextFree_ = std::exchange(list.head, fiber);
    ++list.count;
  }
  static Fiber* pop(List& list) noexcept {
    --list.count;
    return std::exchange(list.head, list.head->nextFree_);
  }

  static constinit thread_local List thread;
};

constinit thread_local FiberPool::List FiberPool::thread;

Fiber* Fiber::take() noexcept { return FiberPool::take(); }

void Fiber::giveBack() noexcept { FiberPool::give(this); }

// Never returns.
TAPESTRY_UNSANITIZED void Fiber::main(boost::context::detail::transfer_t from) noexcept {
  Fiber& fiber = *static_cast<Fiber*>(from.data);
  fiber.caller_ = from.fctx;
  asanArrive(nullptr, &fiber.callerBottom_, &fiber.callerBytes_);
  fiber.function_(fiber.argument_);
  fiber.ended_ = true;
  asanLeave(nullptr, fiber.callerBottom_, fiber.callerBytes_);
  tsanSwitch(fiber.tsanCaller_);
  jump_fcontext(fiber.caller_, nullptr);
  __builtin_unreachable();
}

}  // namespace tapestry::detail

namespace tapestry {

std::size_t directStackSize() noexcept { return detail::stackSize.load(std::memory_order_relaxed); }

void setDirectStackSize(std::size_t bytes) {
  constexpr std::size_t least = std::size_t{16} * 1024;
  // so that neither rounding to pages nor the factor for sanitizers overflows
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 16;
  if (bytes < least || bytes > most)
    throw std::invalid_argument("tapestry::setDirectStackSize: the size is out of range, got " +
                                std::to_string(bytes) + ", expected " + std::to_string(least) + " to " +
                                std::to_string(most));
  const std::size_t page = detail::pageBytes();
  detail::stackSize.store((bytes + page - 1) / page * page, std::memory_order_relaxed);
}

}  // namespace tapestry
