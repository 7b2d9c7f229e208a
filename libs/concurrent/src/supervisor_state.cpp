#include "tapestry/concurrent/detail/supervisor_state.hpp"

#include <utility>

#include "tapestry/concurrent/detail/child_of.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/raii/error_as.hpp"

namespace tapestry::detail {

Child::Child(Ref<SupervisorState> supervisor, const Run& starter, std::string childName)
    : DetachedRun(starter, supervisor->run()),
      name(std::move(childName)),
      supervisor_(std::move(supervisor)) {}

void Child::noteJoined(bool isJoined) const noexcept {
  supervisor_->noteJoined(const_cast<Child&>(*this), isJoined);
}

void Child::end(Ref<const Node> result, std::exception_ptr error) noexcept {
  ended->complete(std::move(result));
  supervisor_->remove(*this, std::move(error));
}

void ChildList::push(Child& child) noexcept {
  child.next_ = nullptr;
  child.previous_ = last_;
  (last_ ? last_->next_ : first_) = &child;
  last_ = &child;
}

void ChildList::remove(Child& child) noexcept {
  (child.previous_ ? child.previous_->next_ : first_) = child.next_;
  (child.next_ ? child.next_->previous_ : last_) = child.previous_;
}

void SupervisorState::startListening() noexcept {
  if (opener_.stop && !opener_.stop->add(*this)) cancelAll();
}

void SupervisorState::stopListening() noexcept {
  if (opener_.stop) opener_.stop->remove(*this);
}

bool SupervisorState::add(Child& child) noexcept {
  const SpinGuard guard(lock_);
  if (cancelled_ || isOver()) return false;
  running_.push(child);
  child.in_ = Child::In::running;
  return true;
}

void SupervisorState::remove(Child& child, std::exception_ptr error) noexcept {
  bool isFirstToFail = false, isLast = false;
  {
    const SpinGuard guard(lock_);
    (child.in_ == Child::In::asked ? asked_ : running_).remove(child);
    child.in_ = Child::In::none;
    child.error_ = std::move(error);
    if (child.error_ && !child.joined_) keepFailed(child);
    isFirstToFail = child.error_ && failFast_ && !firstFailed_;
    if (isFirstToFail) firstFailed_ = Ref<Child>::share(&child);
    isLast = isOver();
  }
  if (isFirstToFail) {
    failed.set();
    cancelAll();
  }
  if (isLast) allEnded.set();
}

std::exception_ptr SupervisorState::firstErrorBefore(const std::exception_ptr& own) {
  noteJoined(*firstFailed_, true);
  const std::exception_ptr first = firstFailed_->error_;
  if (!own || own == first || errorAs<TaskCancelled>(own)) return first;
  Errors both(first);
  both.append(own);
  return both.toException();
}

void SupervisorState::noteJoined(Child& child, bool isJoined) noexcept {
  {
    const SpinGuard guard(lock_);
    child.joined_ = isJoined;
    const bool isFailed = child.in_ == Child::In::failed;
    if (!isJoined && child.error_ && !isFailed && !told_) return keepFailed(child);
    if (!isJoined || !isFailed) return;
    failed_.remove(child);
    child.in_ = Child::In::none;
  }
  child.release();
}

void SupervisorState::keepFailed(Child& child) noexcept {
  child.in_ = Child::In::failed;
  child.retain();
  failed_.push(child);
}

void SupervisorState::cancelAll() noexcept {
  {
    const SpinGuard guard(lock_);
    cancelled_ = true;
  }
  for (;;) {
    Ref<Child> child;
    {
      const SpinGuard guard(lock_);
      if (!running_.first()) return;
      child = Ref<Child>::share(running_.first());
      running_.remove(*child);
      child->in_ = Child::In::asked;
      asked_.push(*child);
    }
    child->request();  // listeners may continue runs, hence without the lock
  }
}

void SupervisorState::closeWhenEmpty() noexcept {
  bool over = false;
  {
    const SpinGuard guard(lock_);
    closing_ = true;
    over = isOver();
  }
  if (over) allEnded.set();
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
    errors.append(child->error_);
  }
}

}  // namespace tapestry::detail
