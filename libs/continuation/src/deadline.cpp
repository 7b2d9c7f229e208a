#include "tapestry/continuation/detail/deadline.hpp"

#include "later.hpp"

namespace tapestry::detail {

Deadline::Deadline(const Run& run)
    : Environment(run.environment(), static_cast<StopState&>(*this)), clock_(clockOf(run)) {
  linkTo(run.environment()->stop());
}

void Deadline::start(Clock::Duration duration) noexcept {
  retain();
  clock_.start(*this, later(clock_.now(), duration));
}

bool Deadline::end() noexcept {
  if (std::exchange(ended_, true)) return late_;
  unlink();
  late_ = !clock_.cancel(*this);
  if (!late_) release();
  return late_;
}

void Deadline::expired() noexcept {
  request();
  release();
}

}  // namespace tapestry::detail
