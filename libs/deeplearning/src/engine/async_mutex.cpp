#include "tapestry/deeplearning/detail/node/trainable_node.hpp"

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

  void step(Run& run, Keeper keeper) const {
    constexpr auto checkStop = [](Waiting& waiting, Run& r) {
      if (waiting.leave()) r.stop(Errors());
    };
    constexpr auto refused = [](Waiting& granted, Run&) {
      // the run had its turn, but the executor takes no more work
      if (!granted.leave()) granted.mutex().unlock();
    };
    run.push<&Hold::held>(this, std::move(keeper));
    run.park(run.push<checkStop, refused>(makeRef<Waiting>(*mutex_)), {"its turn"});
  }

 private:
  void held(Run& run) const {
    run.put(
        ValueType{Try<void>::success({}), UnitContinuation<Errors>(delay([mutex = mutex_, owner = owner_] {
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
