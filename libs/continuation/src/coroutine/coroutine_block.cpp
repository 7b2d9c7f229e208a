#include "tapestry/continuation/coroutine/detail/coroutine_block.hpp"

#include "tapestry/continuation/coroutine/detail/coroutine_promise.hpp"

namespace tapestry::detail {

void CoroutineBlock::proceed() {
  next_ = std::exchange(started_, true) ? std::exchange(waiting_, nullptr) : start();
  if (next_) std::exchange(next_, nullptr).resume();
  goOn();
}

void CoroutineBlock::goOn() {
  constexpr auto later = [](CoroutineBlock& block, Run&) {
    std::exchange(block.next_, nullptr).resume();  // this step was counted by the run
    block.goOn();
  };
  // coroutines that await each other take their steps without the run's loop
  while (next_) {
    if (!Run::countStep()) return run().takeStepLater(this, frameFunction<later, CoroutineBlock>());
    std::exchange(next_, nullptr).resume();
  }
  if (!waiting_) body(run());
}

namespace {

/// Coroutines discarded on this thread while another coroutine was being destroyed.
struct Discarded {
  CoroutineFrame* head = nullptr;
  bool destroying = false;
};

constinit thread_local Discarded discarded;

}  // namespace

void CoroutineFrame::discard(std::coroutine_handle<> self) noexcept {
  if (discarded.destroying) {
    caller_ = self;
    nextDiscarded_ = std::exchange(discarded.head, this);
    return;
  }
  discarded.destroying = true;
  self.destroy();
  while (CoroutineFrame* const frame = discarded.head) {
    discarded.head = frame->nextDiscarded_;
    frame->caller_.destroy();
  }
  discarded.destroying = false;
}

}  // namespace tapestry::detail
