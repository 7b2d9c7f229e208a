#include "tapestry/raii/semaphore.hpp"

#include <stdexcept>
#include <string>

#include "tapestry/raii/extend/wait_for.hpp"

namespace tapestry::detail {

template class BasicPermits<Waiter>;

namespace {

/// A run that takes permits, and gives them back when its scope ends.
class TakePermits : public PermitWaiter {
 public:
  using Request = PermitRequest;
  explicit TakePermits(const Request& request) noexcept
      : PermitWaiter(*request.permits, request.count), release_(request.release) {}

  extend::Acquired<void> served() const { return {Try<void>::success(Unit{}), release_}; }
  void declined() noexcept { permits.give(count); }

 private:
  const UnitContinuation<Errors>& release_;
};

}  // namespace

PermitRequest::PermitRequest(const Ref<Permits>& from, std::size_t wanted)
    : permits(from.get()), count(wanted), release(delay([kept = from, wanted] {
        kept->give(wanted);
        return Errors();
      })) {}

Do<void> take(PermitRequest request, const char* name, Location location) {
  return extend::waitFor<void, TakePermits>(std::move(request), name, location);
}

Do<void> take(const Ref<Permits>& permits, std::size_t count, Location location) {
  return take(PermitRequest(permits, count), "a permit", location);
}

Do<bool> tryTake(PermitRequest request) {
  using Held = Do<bool>::Acquired;
  auto taking = delay([request = std::move(request)] {
    const bool taken = request.permits->tryTake(request.count);
    return Held{Try<bool>::success(taken), taken ? request.release : Release<UnitContinuationMonad>()};
  });
  return Do<bool>(UnlessStopped(std::move(taking)));
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
  return detail::tryTake({permits_, count});
}

void Semaphore::check(const char* operation, std::size_t count) const {
  if (count >= 1 && count <= permits()) return;
  throw std::invalid_argument(std::string("tapestry::Semaphore::") + operation +
                              ": no such number of permits is ever there, got " + std::to_string(count) +
                              ", expected 1 to " + std::to_string(permits()));
}

}  // namespace tapestry
