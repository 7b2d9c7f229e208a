#include "tapestry/continuation/asio/detail/asio_wait.hpp"

#include "tapestry/continuation/asio/detail/asio_handler_scope.hpp"

namespace tapestry::detail {

boost::asio::cancellation_slot AsioWait::slot() noexcept {
  return stop_.isUnaskable() ? boost::asio::cancellation_slot() : signal_.slot();
}

bool AsioWait::setUnlessCompleted(std::uint32_t bit) noexcept {
  std::uint32_t state = state_.load();
  while (!(state & isCompleted))
    if (state_.compare_exchange_weak(state, state | bit)) return true;
  return false;
}

bool AsioWait::park(Run&) noexcept {
  // the signal is not emitted before the operation has been started
  if (!stop_.add(*this)) onStop();
  const std::uint32_t before = state_.fetch_or(isParked);
  if ((before & (isCompleted | isEmitting)) != isCompleted) return false;
  leave();
  return true;
}

void AsioWait::onStop() noexcept {
  if (setUnlessCompleted(isCancelled)) postEmit();
}

void AsioWait::emit() noexcept {
  using Type = boost::asio::cancellation_type;
  if (!setUnlessCompleted(isEmitting)) return;
  signal_.emit(Type::terminal | Type::partial | Type::total);
  const std::uint32_t before = state_.fetch_and(~isEmitting);
  if ((before & (isCompleted | isParked)) == (isCompleted | isParked)) goOn();
}

void AsioWait::complete() noexcept {
  const std::uint32_t before = state_.fetch_or(isCompleted);
  if ((before & (isParked | isEmitting)) == isParked) goOn();
}

void AsioWait::goOn() noexcept {
  leave();
  if (abandoned_) run_->stayHere();
  const Executor& executor = run_->executor();
  const AsioHandlerScope scope(executor, executor.isHere(), !abandoned_);
  run_->resume();
}

void AsioWait::leave() noexcept {
  stop_.remove(*this);
  dropExecutor();
}

}  // namespace tapestry::detail
