#include "tapestry/continuation/parallel/timeout.hpp"

namespace tapestry::detail {

Deadline::Deadline(const Run& run)
    : Environment(run.environment(), static_cast<StopState&>(*this)), run_(run), clock_(clockOf(run)) {
  linkTo(run.environment()->stop());
}

void Deadline::start(Clock::Duration duration) noexcept {
  retain();
  clock_.start(*this, later(clock_.now(), duration));
}

bool Deadline::end() noexcept {
  if (std::exchange(ended_, true)) return late_;
  late_ = !clock_.cancel(*this);
  if (!late_) passOn(0, run_);  // else the scopes within are asked to stop
  unlink();
  if (!late_) release();
  return late_;
}

void Deadline::expired() noexcept {
  request();
  release();
}

}  // namespace tapestry::detail
