#include "tapestry/continuation/asio/detail/asio_core.hpp"

namespace tapestry::detail {

void AsioCore::hold() noexcept {
  retain();
  // work is made and given up without the lock, for it is an executor of the user's that does so
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

/// False where this would be the first run, and comes without work.
bool AsioCore::addRun(std::unique_ptr<AsioWork> work) noexcept {
  const SpinGuard guard(lock_);
  if (runs_ == 0 && !work) return false;
  if (runs_++ == 0) work_.swap(work);
  return true;
}

/// False where this would be the last run.
bool AsioCore::removeRun() noexcept {
  const SpinGuard guard(lock_);
  if (runs_ <= 1) return false;
  --runs_;
  return true;
}

}  // namespace tapestry::detail
