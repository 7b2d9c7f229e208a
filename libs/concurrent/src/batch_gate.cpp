#include "tapestry/concurrent/detail/batch_gate.hpp"

#include <stdexcept>
#include <string>

#include "tapestry/concurrent/batched.hpp"

namespace tapestry {

const char* BatchStopped::what() const noexcept {
  return "tapestry::batched: the call for the batch was stopped before it had results";
}

}  // namespace tapestry

namespace tapestry::detail {

BatchEntry::BatchEntry(Ref<BatchGate> batch) noexcept : Waiter(batch->queue_), batch_(std::move(batch)) {}
BatchEntry::~BatchEntry() = default;

bool BatchEntry::enter() noexcept { return batch_->phase_ == BatchGate::Phase::ended; }
bool BatchEntry::depart() noexcept { return batch_->depart(*this); }

BatchGate::~BatchGate() = default;

bool BatchGate::join(BatchEntry& entry) noexcept {
  bool isFull = false;
  {
    const SpinGuard guard(queue_.lock);
    if (phase_ != Phase::open) return false;
    entry.retain();
    entry.previous_ = last_;
    (last_ ? last_->next_ : first_) = &entry;
    last_ = &entry;
    isFull = ++live_ == size_;
    if (isFull) phase_ = Phase::closed;
  }
  if (isFull) full.set();
  return true;
}

BatchEntry* BatchGate::take() noexcept {
  const SpinGuard guard(queue_.lock);
  phase_ = Phase::taken;
  return first_;
}

bool BatchGate::depart(BatchEntry& entry) noexcept {
  bool isListed = false, isLast = false;
  {
    const SpinGuard guard(queue_.lock);
    if (phase_ == Phase::ended) return false;
    if (std::exchange(entry.departed_, true)) return true;
    isLast = --live_ == 0;
    isListed = phase_ != Phase::taken;
    if (isListed) {
      (entry.previous_ ? entry.previous_->next_ : first_) = entry.next_;
      (entry.next_ ? entry.next_->previous_ : last_) = entry.previous_;
      if (isLast) phase_ = Phase::closed;
    }
  }
  if (isLast) request();
  if (isListed) entry.release();
  return true;
}

void BatchGate::end() noexcept {
  WaitQueue::Waiter* all = nullptr;
  BatchEntry* served = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    phase_ = Phase::ended;
    all = queue_.popAll();
    served = std::exchange(first_, last_ = nullptr);
  }
  wakeAll(all);
  while (served) std::exchange(served, served->next_)->release();
}

std::exception_ptr wrongBatchResults(std::size_t got, std::size_t expected) {
  return std::make_exception_ptr(
      std::logic_error("tapestry::batched: the function yielded a wrong number of results, got " +
                       std::to_string(got) + ", expected " + std::to_string(expected)));
}

}  // namespace tapestry::detail
