#include <utility>

#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/detail/child_of.hpp"
#include "tapestry/concurrent/detail/for_each_part.hpp"
#include "tapestry/concurrent/detail/supervisor_state.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/raii/error_as.hpp"

namespace tapestry::detail {

namespace {

/// The errors of a supervisor that has been asked to stop, which remember the supervisor.
struct RefusedSpawn final : Closed {
  explicit RefusedSpawn(std::uint64_t supervisor) noexcept : from(supervisor) {}
  std::uint64_t from;
};
struct CancelledWithAll final : TaskCancelled {
  explicit CancelledWithAll(std::uint64_t supervisor) noexcept : from(supervisor) {}
  std::uint64_t from;
};

}  // namespace

bool SupervisorState::hasFailed() noexcept {
  const SpinGuard guard(lock_);
  return firstFailed_.get();
}

std::exception_ptr SupervisorState::refusal() const { return std::make_exception_ptr(RefusedSpawn(id_)); }

std::exception_ptr SupervisorState::cancellation() noexcept {
  bool withAll = false;
  {
    const SpinGuard guard(lock_);
    withAll = cancelled_;
  }
  return withAll ? std::make_exception_ptr(CancelledWithAll(id_)) : std::make_exception_ptr(TaskCancelled());
}

bool SupervisorState::gave(const std::exception_ptr& error) const noexcept {
  if (const auto* const refused = errorAs<RefusedSpawn>(error)) return refused->from == id_;
  const auto* const cancelled = errorAs<CancelledWithAll>(error);
  return cancelled && cancelled->from == id_;
}

std::exception_ptr SupervisorState::withoutOwn(const std::exception_ptr& error) const {
  Errors others;
  bool hasOwn = false;
  forEachPart(
      error, [&](const std::exception_ptr& part) { gave(part) ? void(hasOwn = true) : others.append(part); });
  return hasOwn ? others.toException() : error;
}

void SupervisorState::tell(const std::exception_ptr& error, Errors& to) {
  forEachPart(error, [&](const std::exception_ptr& part) {
    if (toldErrors_.insert(objectOf(part)).second) to.append(part);
  });
}

std::exception_ptr SupervisorState::errorWith(const std::exception_ptr& own) {
  Errors errors;
  if (!hasFailed()) {
    if (own) tell(own, errors);
    return own;
  }
  noteJoined(*firstFailed_);
  tell(firstFailed_->error_, errors);
  if (const auto others = own ? withoutOwn(own) : nullptr) tell(others, errors);
  return errors.toException();
}

void SupervisorState::noteJoined(Child& child) noexcept {
  {
    const SpinGuard guard(lock_);
    ++child.deliveries_;
    if (child.in_ != Child::In::failed) return;
    failed_.remove(child);
    child.in_ = Child::In::none;
  }
  child.release();
}

void SupervisorState::noteDropped(Child& child) noexcept {
  const SpinGuard guard(lock_);
  if (--child.deliveries_ == 0 && child.error_ && !told_) keepFailed(child);
}

void SupervisorState::keepFailed(Child& child) noexcept {
  child.in_ = Child::In::failed;
  child.retain();
  failed_.insertByFailure(child);
}

Errors SupervisorState::takeErrors() {
  Errors errors;
  Ref<Child> firstFailed;  // refers to this state in its turn
  {
    const SpinGuard guard(lock_);
    firstFailed = std::exchange(firstFailed_, nullptr);
    told_ = true;
  }
  for (;;) {
    Ref<Child> child;
    {
      const SpinGuard guard(lock_);
      if (!failed_.first()) return errors;
      child = Ref<Child>::adopt(failed_.first());
      failed_.remove(*child);
      child->in_ = Child::In::none;
    }
    tell(child->error_, errors);
  }
}

}  // namespace tapestry::detail
