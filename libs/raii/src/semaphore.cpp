#include "tapestry/raii/semaphore.hpp"

#include <stdexcept>
#include <string>

namespace tapestry::detail {

template class BasicPermits<Waiter>;

namespace {

using Held = Do<void>::Acquired;

UnitContinuation<Errors> giving(Ref<Permits> permits, std::size_t count) {
  return delay([permits = std::move(permits), count] {
    permits->give(count);
    return Errors();
  });
}

class [[nodiscard("a program does nothing until it is run")]] TakePermits
    : public ProgramOperations<TakePermits> {
 public:
  using ValueType = Held;

  TakePermits(Ref<Permits> permits, std::size_t count, Location location)
      : release_(giving(permits, count)), permits_(std::move(permits)), count_(count), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    if (run.stopIfRequested()) return;
    if (permits_->tryTake(count_)) return run.put(held());
    run.park(run.push<&Waiting::goOn, &Waiting::refused>(makeRef<Waiting>(*this)), {"a permit", location_});
  }

 private:
  struct Waiting final : PermitWaiter {
    explicit Waiting(const TakePermits& taking) noexcept
        : PermitWaiter(*taking.permits_, taking.count_), program(taking) {}

    void goOn(Run& run) { leave() ? run.stop(Errors()) : run.put(program.held()); }

    /// The run's executor refused to go on with it, which is an error; what it was given goes to the next.
    void refused(Run& run) {
      if (leave()) return run.stop(Errors());
      permits.give(count);
      if (!run.stopRequested()) run.put(Held{Try<void>::failure(run.takeStop().toException()), {}});
    }

    const TakePermits& program;
  };

  Held held() const { return {Try<void>::success(Unit{}), release_}; }

  UnitContinuation<Errors> release_;
  Ref<Permits> permits_;
  std::size_t count_;
  Location location_;
};

}  // namespace

}  // namespace tapestry::detail

namespace tapestry {

Semaphore::Semaphore(std::size_t permits) : permits_(detail::makeRef<detail::Permits>(permits)) {
  if (permits == 0)
    throw std::invalid_argument("tapestry::Semaphore: there are no permits, got 0, expected at least 1");
}

Do<void> Semaphore::permit(std::size_t count, detail::Location location) const {
  check("permit", count);
  return Do<void>(UnitContinuation<detail::Held>(detail::TakePermits(permits_, count, location)));
}

Do<bool> Semaphore::tryPermit(std::size_t count) const {
  check("tryPermit", count);
  using Held = Do<bool>::Acquired;
  auto release = detail::giving(permits_, count);
  auto take = delay([permits = permits_, count, release = std::move(release)] {
    const bool taken = permits->tryTake(count);
    Release<UnitContinuationMonad> giving;
    if (taken) giving = release;
    return Held{Try<bool>::success(taken), std::move(giving)};
  });
  return Do<bool>(UnitContinuation<Held>(detail::unlessStopped(std::move(take))));
}

void Semaphore::check(const char* operation, std::size_t count) const {
  if (count >= 1 && count <= permits()) return;
  throw std::invalid_argument(std::string("tapestry::Semaphore::") + operation +
                              ": no such number of permits is ever there, got " + std::to_string(count) +
                              ", expected 1 to " + std::to_string(permits()));
}

}  // namespace tapestry
