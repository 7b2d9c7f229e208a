#include "tapestry/concurrent/detail/supervisor_state.hpp"

#include <atomic>
#include <utility>

namespace tapestry::detail {

Child::Child(Ref<SupervisorState> supervisor, const Run& starter, std::string childName)
    : DetachedRun(starter, supervisor->run()),
      name(std::move(childName)),
      supervisor_(std::move(supervisor)) {}

void Child::noteJoined() const noexcept { supervisor_->noteJoined(const_cast<Child&>(*this)); }
void Child::noteDropped() const noexcept { supervisor_->noteDropped(const_cast<Child&>(*this)); }

std::exception_ptr Child::cancellation() const { return supervisor_->cancellation(); }

void Child::end(Ref<const Node> result, std::exception_ptr error) noexcept {
  ended->complete(std::move(result));
  supervisor_->remove(*this, std::move(error));
}

void ChildList::insertAfter(Child* previous, Child& child) noexcept {
  child.previous_ = previous;
  child.next_ = std::exchange(previous ? previous->next_ : first_, &child);
  (child.next_ ? child.next_->previous_ : last_) = &child;
}

void ChildList::insertByFailure(Child& child) noexcept {
  Child* previous = last_;
  while (previous && previous->failure_ > child.failure_) previous = previous->previous_;
  insertAfter(previous, child);
}

void ChildList::remove(Child& child) noexcept {
  (child.previous_ ? child.previous_->next_ : first_) = child.next_;
  (child.next_ ? child.next_->previous_ : last_) = child.previous_;
}

std::uint64_t SupervisorState::nextId() noexcept {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

void SupervisorState::startListening() noexcept {
  if (!listen(opener_.stop, opener_.branch)) cancelAll();
}

void SupervisorState::stopListening() noexcept {
  endListening();
  Ref<BodyState> body;
  {
    const SpinGuard guard(lock_);
    body = std::move(body_);
  }
  if (body) body->unlink();
}

bool SupervisorState::add(Child& child) noexcept {
  const SpinGuard guard(lock_);
  if (cancelled_ || isOver()) return false;
  running_.push(child);
  child.in_ = Child::In::running;
  return true;
}

void SupervisorState::remove(Child& child, std::exception_ptr error) noexcept {
  if (error) error = withoutOwn(error);
  bool isFirstToFail = false, isLast = false;
  Ref<BodyState> body;
  {
    const SpinGuard guard(lock_);
    (child.in_ == Child::In::asked ? asked_ : running_).remove(child);
    child.in_ = Child::In::none;
    child.error_ = std::move(error);
    if (child.error_) child.failure_ = ++failures_;
    if (child.error_ && child.deliveries_ == 0) keepFailed(child);
    isFirstToFail = child.error_ && failFast_ && !firstFailed_;
    if (isFirstToFail) {
      firstFailed_ = Ref<Child>::share(&child);
      body = body_;
    }
    isLast = isOver();
  }
  if (body) body->request();  // before a spawn of the body is refused
  if (isFirstToFail) cancelAll();
  if (isLast) allEnded->complete();
}

Ref<BodyState> SupervisorState::beginBody(const Run& run) {
  auto body = makeRef<BodyState>(run);
  bool isLate = false;
  {
    const SpinGuard guard(lock_);
    body_ = body;
    isLate = firstFailed_.get();
  }
  if (isLate) body->request();
  return body;
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
  if (over) allEnded->complete();
}

}  // namespace tapestry::detail
