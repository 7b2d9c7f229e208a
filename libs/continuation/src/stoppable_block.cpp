#include "tapestry/continuation/detail/stoppable_block.hpp"

namespace tapestry::detail {

void StoppableBlock::takeStop() {
  Errors errors = run_->takeStop();
  thrown_ = errors.toException();
  stopped_ = !thrown_ || !scope_ || run_->stopRequested();
  if (stopped_) {
    stoppedWith_ = std::move(errors);
    if (scope_) thrown_ = nullptr;
  }
}

void StoppableBlock::throwStop() {
  if (!thrown_) throw Cancelled();
  if (stopped_) std::rethrow_exception(thrown_);
  std::rethrow_exception(std::exchange(thrown_, nullptr));
}

}  // namespace tapestry::detail
