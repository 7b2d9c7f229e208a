#include "fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <limits>
#include <new>
#include <stdexcept>
#include <string>

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
