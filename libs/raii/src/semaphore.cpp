#include "tapestry/raii/semaphore.hpp"

#include <stdexcept>
#include <string>

#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

template class BasicPermits<Waiter>;

namespace {

UnitContinuation<Errors> giving(Ref<Permits> permits, std::size_t count) {
  return delay([permits = std::move(permits), count] {
    permits->give(count);
    return Errors();
  });
}

/// A run that takes permits, and gives them back when its scope ends.
class TakePermits : public PermitWaiter {
 public:
  struct Request {
    Ref<Permits> permits;
    std::size_t count;
    UnitContinuation<Errors> release;
  };
  explicit TakePermits(const Request& request) noexcept
      : PermitWaiter(*request.permits, request.count), release_(request.release) {}

  extend::Acquired<void> served() const { return {Try<void>::success(Unit{}), release_}; }
  void declined() noexcept { permits.give(count); }

 private:
  const UnitContinuation<Errors>& release_;
};

}  // namespace

Do<void> take(Ref<Permits> permits, std::size_t count, Location location) {
  auto release = giving(permits, count);
  return extend::waitFor<void, TakePermits>({std::move(permits), count, std::move(release)}, "a permit",
                                            location);
}

}  // namespace tapestry::detail

namespace tapestry {

Semaphore::Semaphore(std::size_t permits) : permits_(detail::makeRef<detail::Permits>(permits)) {
  if (permits == 0)
    throw std::invalid_argument("tapestry::Semaphore: there are no permits, got 0, expected at least 1");
}

Do<void> Semaphore::permit(std::size_t count, detail::Location location) const {
  check("permit", count);
  return detail::take(permits_, count, location);
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
  return Do<bool>(UnitContinuation<Held>(detail::UnlessStopped(std::move(take))));
}

void Semaphore::check(const char* operation, std::size_t count) const {
  if (count >= 1 && count <= permits()) return;
  throw std::invalid_argument(std::string("tapestry::Semaphore::") + operation +
                              ": no such number of permits is ever there, got " + std::to_string(count) +
                              ", expected 1 to " + std::to_string(permits()));
}

}  // namespace tapestry
