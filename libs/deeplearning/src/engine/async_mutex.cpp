#include "tapestry/deeplearning/detail/async_mutex.hpp"

#include "tapestry/continuation/delay.hpp"

namespace tapestry::detail {

class AsyncMutex::Waiting final : public Waiter {
 public:
  explicit Waiting(AsyncMutex& mutex) noexcept : Waiter(mutex.queue_), mutex_(mutex) {}
  AsyncMutex& mutex() noexcept { return mutex_; }

 private:
  bool enter() noexcept override { return !std::exchange(mutex_.held_, true); }
  AsyncMutex& mutex_;
};

class AsyncMutex::Hold : public ProgramOperations<Hold> {
 public:
  using ValueType = Do<void>::Acquired;

  Hold(AsyncMutex& mutex, Ref<Node> owner) noexcept : mutex_(&mutex), owner_(std::move(owner)) {}

  void step(Run& run, const Node* owned) const {
    run.keep(owned);
    run.push({this, held, nullptr, nullptr});
    auto* waiting = new Waiting(*mutex_);
    constexpr auto checkStop = [](const void* self, Run& r) {
      if (const_cast<Waiting*>(static_cast<const Waiting*>(self))->leave()) r.stop(Errors());
    };
    constexpr auto refused = [](const void* self, Run&) {
      // it was its turn, and the executor takes no more work
      auto* const granted = const_cast<Waiting*>(static_cast<const Waiting*>(self));
      if (!granted->leave()) granted->mutex().unlock();
    };
    run.push({waiting, checkStop, refused, waiting});
    run.park(*waiting, {"its turn"});
  }

 private:
  static void held(const void* self, Run& run) {
    const auto* hold = static_cast<const Hold*>(self);
    run.put(ValueType{Try<void>::success({}),
                      UnitContinuation<Errors>(delay([mutex = hold->mutex_, owner = hold->owner_] {
                        mutex->unlock();
                        return Errors();
                      }))});
  }

  AsyncMutex* mutex_;
  Ref<Node> owner_;
};

Do<void> AsyncMutex::hold(Ref<Node> owner) {
  return Do<void>(UnitContinuation<Do<void>::Acquired>(Hold(*this, std::move(owner))));
}

void AsyncMutex::unlock() noexcept {
  WaitQueue::Waiter* next = nullptr;
  {
    const SpinGuard guard(queue_.lock);
    next = queue_.pop();
    held_ = next != nullptr;
  }
  wakeAll(next);
}

}  // namespace tapestry::detail
