#include "tapestry/concurrent/detail/supervisor_state.hpp"

#include <atomic>
#include <utility>

#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/detail/child_of.hpp"
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

/// Calls f(error) for each of the errors that the error represents.
template <class F>
void forEachPart(const std::exception_ptr& error, const F& f) {
  const auto* const several = errorAs<MultipleException>(error);
  if (!several) return f(error);
  for (const auto& part : several->errors()) f(part);
}

}  // namespace

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
  if (isLast) allEnded.set();
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
    tell(child->error_, errors);
  }
}

}  // namespace tapestry::detail
