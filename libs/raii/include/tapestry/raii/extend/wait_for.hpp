// Defines WaitFor, the leaf of Do by which a run waits in turn at a place such as a semaphore or a channel.
#pragma once

#include <type_traits>
#include <utility>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry::extend {

/// What a WaitFor yields an A by: the value or the error, and a release.
template <class A>
using Acquired = typename Do<A>::Acquired;

/// One run's request, `Place`, is a Waiter that is made of a `const Place::Request&`, to which it may refer,
/// and has besides
/// - `Acquired<A> served()`, which gives what the run has got, on the run's thread, once enter() has returned
///   true or whoever popped the place has served it;
/// - `void declined() noexcept`, called in the place of served() where the run was served and stops
///   nevertheless: what it has got goes back, or to the next.
/// A request that enter() serves at once costs no allocation. Otherwise another Place waits, made of the
/// request too, and of the first one, `Place&&`, if it can be. A request to stop ends the wait, unless
/// masked.
template <class A, class Place>
class [[nodiscard("a program does nothing until it is run")]] WaitFor
    : public ProgramOperations<WaitFor<A, Place>> {
 public:
  using ValueType = Acquired<A>;
  using Request = typename Place::Request;

  /// `name` says in dumpRuns what is waited for.
  WaitFor(Request request, const char* name, Location location)
      : request_(std::move(request)), wait_{name, location} {}

  void step(Run& run, Keeper keeper) const {
    if (run.stopIfRequested()) return;
    Place place(request_);
    if (place.enterAtOnce()) return run.put(place.served());
    run.keep(std::move(keeper));
    run.park(run.push<&Waiting::goOn, &Waiting::refused>(waiting(std::move(place))), wait_);
  }

 private:
  struct Waiting final : Place {
    using Place::Place;

    void goOn(Run& run) {
      if (this->leave()) return run.stop(Errors());
      run.put(this->served());
    }
    /// The run's executor refused to go on with it, which is an error.
    void refused(Run& run) {
      if (this->leave()) return run.stop(Errors());
      this->declined();
      if (run.stopRequested()) return;
      run.put(ValueType{Try<A>::failure(run.takeStop().toException()), {}});
    }
  };

  Ref<Waiting> waiting(Place&& before) const {
    if constexpr (std::is_constructible_v<Place, const Request&, Place&&>)
      return makeRef<Waiting>(request_, std::move(before));
    else
      return makeRef<Waiting>(request_);
  }

  Request request_;
  Wait wait_;
};

/// The Do that waits.
template <class A, class Place>
[[nodiscard("a program does nothing until it is run")]] Do<A> waitFor(typename Place::Request request,
                                                                      const char* name, Location location) {
  return Do<A>(UnitContinuation<Acquired<A>>(WaitFor<A, Place>(std::move(request), name, location)));
}

}  // namespace tapestry::extend
