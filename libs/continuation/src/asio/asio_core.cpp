#include "tapestry/continuation/asio/asio_executor.hpp"

namespace tapestry::detail {

void AsioCore::hold() noexcept {
  retain();
  // work is created and dropped without the lock, since the user's executor does so
  if (!addRun(nullptr)) gate_->pass([this] { addRun(makeWork()); });
}

void AsioCore::letGo() noexcept {
  if (!removeRun())
    gate_->pass([this] {
      std::unique_ptr<AsioWork> last;
      const SpinGuard guard(lock_);
      if (runs_ != 0 && --runs_ == 0) last.swap(work_);
    });
  release();
}

/// Returns false if this would be the first hold and `work` is null.
bool AsioCore::addRun(std::unique_ptr<AsioWork> work) noexcept {
  const SpinGuard guard(lock_);
  if (runs_ == 0 && !work) return false;
  if (runs_++ == 0) work_.swap(work);
  return true;
}

/// Returns false if this would end the last hold.
bool AsioCore::removeRun() noexcept {
  const SpinGuard guard(lock_);
  if (runs_ <= 1) return false;
  --runs_;
  return true;
}

}  // namespace tapestry::detail
