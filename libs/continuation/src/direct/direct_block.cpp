#include "tapestry/continuation/detail/direct_block.hpp"

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
        "tapestry::await: called outside of a block, expected a call in direct<...>([=] { ... })");
  return *block;
}

void DirectBlock::begin(Run& run) {
  run_ = &run;
  run.keep(this);
  push([](const void* self, Run&) {
    const_cast<DirectBlock*>(static_cast<const DirectBlock*>(self))->proceed();
  });
}

void DirectBlock::push(void (*resume)(const void* self, Run& run)) {
  constexpr auto stop = [](const void* self, Run&) {
    const_cast<DirectBlock*>(static_cast<const DirectBlock*>(self))->unwind();
  };
  run_->push({this, resume, stop, nullptr});
}

void DirectBlock::proceed() {
  if (!fiber_) {
    fiber_ = Fiber::take();
    if (!fiber_)
      return run_->stop(Errors(std::make_exception_ptr(std::system_error(
          errno, std::generic_category(), "tapestry::direct: no memory for the stack of a block"))));
    fiber_->begin(
        [](void* self) {
          auto& block = *static_cast<DirectBlock*>(self);
          block.body(*block.run_);
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
  push(awaited_.resume);
  awaited_.step(awaited_.program, *run_);
}

void DirectBlock::unwind() {
  Errors errors = run_->takeStop();
  thrown_ = errors.toException();
  stopped_ = !thrown_ || stopErrors_ == StopErrors::final || run_->stopRequested();
  if (stopped_) {
    stoppedWith_ = std::move(errors);
    if (stopErrors_ == StopErrors::handled) thrown_ = nullptr;
  }
  proceed();
}

void DirectBlock::suspend(const Awaited& awaited) {
  if (threadState.graveyard.digging)
    throw std::logic_error(
        "tapestry::await: called in a destructor that the library calls, expected a call in the block");
  if (!stopped_ && run_->stopRequested()) stopped_ = true;
  if (stopped_) throwStop();
  awaited_ = awaited;
  fiber_->leave();
  if (stopped_ || thrown_) throwStop();
}

void DirectBlock::throwStop() {
  if (!thrown_) throw Cancelled();
  if (stopped_) std::rethrow_exception(thrown_);
  std::rethrow_exception(std::exchange(thrown_, nullptr));
}

}  // namespace tapestry::detail
