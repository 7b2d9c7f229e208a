// Defines Do::shared, one acquired instance for all concurrent users.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/raii/detail/shared_instance.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/handle.hpp"

namespace tapestry::detail {

template <class A>
class [[nodiscard("a program does nothing until it is run")]] SharedUse
    : public ProgramOperations<SharedUse<A>> {
  using Instance = SharedInstance<A>;
  using Opening = typename Instance::Opening;
  using Place = typename Instance::Gate::Place;

 public:
  using ValueType = typename Instance::Result;

  SharedUse(UnitContinuation<typename Instance::Acquired> acquire, Location location)
      : instance_(makeRef<Instance>(std::move(acquire))), location_(location) {}

  void step(Run& run, const Node* owned) const {
    if (run.stopIfRequested()) {
      if (owned) owned->release();
      return;
    }
    run.keep(owned);
    visit(run, false);
  }

 private:
  struct User final : Instance::Gate::User {
    User(const SharedUse& use, Ref<Opening> awaited, bool opener, bool isWithin) noexcept
        : Instance::Gate::User(use.instance_->gate, std::move(awaited), opener),
          program(use),
          within(isWithin) {}
    const SharedUse& program;
    const bool within;
  };

  /// Of a run whose executor has refused to go on with it.
  static void toError(const void*, Run& run) {
    if (run.stopErrors().empty() || run.stopRequested()) return;
    run.put(ValueType{Try<Handle<A>>::failure(run.takeStop().toException()), {}});
  }

  void visit(Run& run, bool promised) const {
    const auto isWithin = [&run](const Opening& opening) { return opening.contains(*run.environment()); };
    Ref<Opening> opening;
    bool within = false;
    Place place = gate().enter(opening, promised, within, isWithin);
    if (place == Place::vacant) {
      opening = makeRef<Opening>(instance_, run);
      place = gate().enter(opening, promised, within, isWithin);
    }
    if (place == Place::admitted) return run.put(instance_->use());
    if (place == Place::opener) return open(run, std::move(opening));
    park(run, std::move(opening), false, within);
  }

  void open(Run& run, Ref<Opening> opening) const {
    const auto leave = [&] { return gate().depart(*opening, false) == OpeningResult::pending; };
    if (opening->start(run, leave)) return run.stop(Errors());
    const auto result = opening->result();
    if (result == OpeningResult::pending) return park(run, std::move(opening), true, false);
    settle(run, *opening, result, result == OpeningResult::cancelled);
  }

  /// Goes on after the opening, or stops.
  void settle(Run& run, const Opening& opening, OpeningResult result, bool stops) const {
    if (stops) {
      run.stop(Errors());
      if (result == OpeningResult::opened) finalizeStop(run, instance_->wayOut());
    } else if (result == OpeningResult::opened) {
      run.put(instance_->use());
    } else if (result == OpeningResult::failed) {
      run.put(ValueType{Try<Handle<A>>::failure(opening.failure()), {}});
    } else {
      visit(run, false);
    }
  }

  void park(Run& run, Ref<Opening> opening, bool isOpener, bool within) const {
    auto* user = new User(*this, std::move(opening), isOpener, within);
    run.push({this, nullptr, toError, nullptr});
    run.push({user, goOn, refused, user});
    run.park(*user, {"a shared value", location_});
  }

  static User& userOf(const void* self) noexcept {
    return *const_cast<User*>(static_cast<const User*>(self));
  }

  static void goOn(const void* self, Run& run) {
    User& user = userOf(self);
    const auto& program = user.program;
    const bool cancelled = user.leave();
    Opening* const opening = user.opening();
    if (!opening) return cancelled ? run.stop(Errors()) : program.visit(run, user.promised());
    const auto result = cancelled ? program.gate().depart(*opening, user.within) : opening->result();
    const bool openedByItself = user.opens && result == OpeningResult::cancelled;
    program.settle(run, *opening, result, cancelled || openedByItself);
  }

  /// The run's executor refused to go on with it.
  static void refused(const void* self, Run& run) {
    User& user = userOf(self);
    user.leave();
    auto& gate = user.program.gate();
    if (user.promised()) gate.decline();
    if (user.opening() && gate.depart(*user.opening(), user.within) == OpeningResult::opened)
      finalizeStop(run, user.program.instance_->wayOut());
  }

  typename Instance::Gate& gate() const noexcept { return instance_->gate; }

  Ref<Instance> instance_;
  Location location_;
};

}  // namespace tapestry::detail
