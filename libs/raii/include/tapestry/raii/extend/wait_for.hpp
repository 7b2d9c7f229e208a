// Defines WaitFor, the leaf of Do by which a run waits in turn at a place such as a semaphore or a channel.
#pragma once

#include <type_traits>
#include <utility>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// The result of a WaitFor of an A: the value or the error, and a release.
template <class A>
using Acquired = typename Do<A>::Acquired;

/// `Place`, the request of one run, is a Waiter that is constructed from a `const Place::Request&`, to which
/// it may refer, and also has
/// - `Acquired<A> served()`, which returns the run's result, on the run's thread, after enter() has returned
///   true or the thread that popped the place has served it;
/// - if there is a result to give back, `void declined() noexcept`, called instead of served() if the run was
///   served and stops nevertheless: gives the result back, or passes it to the next waiter.
/// A request that enter() serves at once costs no allocation. Otherwise a second Place waits, constructed
/// from the request, and also from the first, `Place&&`, if possible. A request to stop ends the wait, unless
/// masked.
template <class A, class Place>
class [[nodiscard("a program does nothing until it is run")]] WaitFor
    : public ProgramOperations<WaitFor<A, Place>> {
 public:
  using ValueType = Acquired<A>;
  using Request = typename Place::Request;

  /// `name` is shown by dumpRuns for a waiting run.
  WaitFor(Request request, const char* name, Location location)
      : request_(std::move(request)), wait_{name, location} {}

  void step(Run& run, Keeper keeper) const {
    if (run.stopIfRequested()) return;
    Place place(request_);
    if (place.enterAtOnce()) return put(run, place.served(), wait_);
    run.keep(std::move(keeper));
    run.park(run.push<&Waiting::goOn, &Waiting::refused>(waiting(std::move(place))), wait_);
  }

 private:
  /// An error has passed this place.
  static void put(Run& run, ValueType acquired, const Wait& wait) {
    notePlace(acquired.value.error(), wait.operation, wait.location);
    run.put(std::move(acquired));
  }

  struct Waiting final : Place {
    template <class... Arguments>
    explicit Waiting(const Wait& waited, Arguments&&... arguments)
        : Place(std::forward<Arguments>(arguments)...), wait(waited) {}

    void goOn(Run& run) {
      if (this->leave()) return run.stop(Errors());
      put(run, this->served(), wait);
    }
    /// The run's executor refused to continue the run, which is an error.
    void refused(Run& run) {
      if (this->leave()) return run.stop(Errors());
      if constexpr (requires { this->declined(); }) this->declined();
      if (run.stopRequested()) return;
      put(run, {Try<A>::failure(run.takeStop().toException()), {}}, wait);
    }

    const Wait& wait;  ///< of the program, which the run keeps
  };

  Ref<Waiting> waiting(Place&& before) const {
    if constexpr (std::is_constructible_v<Place, const Request&, Place&&>)
      return makeRef<Waiting>(wait_, request_, std::move(before));
    else
      return makeRef<Waiting>(wait_, request_);
  }

  Request request_;
  Wait wait_;
};

/// The Do that waits.
template <class A, class Place>
[[nodiscard("a program does nothing until it is run")]] Do<A> waitFor(typename Place::Request request,
                                                                      const char* name, Location location) {
  return Do<A>(WaitFor<A, Place>(std::move(request), name, location));
}

}  // namespace tapestry::extend
#pragma GCC visibility pop
