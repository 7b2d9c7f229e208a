#include "tapestry/continuation/direct/direct.hpp"

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "fiber.hpp"

namespace tapestry::detail {

DirectBlock* DirectBlock::current() noexcept { return threadState.block; }

DirectBlock& DirectBlock::checkedCurrent() {
  DirectBlock* const block = current();
  if (!block)
    throw std::logic_error(
        "tapestry::await: called outside of a block, expected a call in direct<...>([=] { ... }), or "
        "co_await in "
        "a coroutine");
  return *block;
}

void DirectBlock::proceed() {
  if (!fiber_) {
    fiber_ = Fiber::take();
    if (!fiber_)
      return refuse(run(), std::make_exception_ptr(
                               std::system_error(errno, std::generic_category(),
                                                 "tapestry::direct: no memory for the stack of a block")));
    fiber_->begin(
        [](void* self) {
          auto& block = *static_cast<DirectBlock*>(self);
          block.body(block.run());
        },
        this);
  }
  auto& thread = threadState;
  DirectBlock* const outer = std::exchange(thread.block, this);
  const bool digging = std::exchange(thread.graveyard.digging, false);
  fiber_->enter();
  thread.graveyard.digging = digging;
  thread.block = outer;
  if (fiber_->ended()) return std::exchange(fiber_, nullptr)->giveBack();
  awaited_.push(*this);
  run().takeStep(awaited_.program, awaited_.step);
}

void DirectBlock::suspend(const Awaited& awaited) {
  if (threadState.graveyard.digging)
    throw std::logic_error(
        "tapestry::await: called in a destructor that the library calls, expected a call in the block");
  checkBefore();
  awaited_ = awaited;
  fiber_->leave();
  checkAfter();
}

}  // namespace tapestry::detail
