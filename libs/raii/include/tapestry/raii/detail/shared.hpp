// Defines Do::shared, one acquired instance for all concurrent users.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/raii/detail/shared_instance.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/handle.hpp"

#pragma GCC visibility push(default)
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

  void step(Run& run, Keeper keeper) const {
    if (run.stopIfRequested()) return;
    run.keep(std::move(keeper));
    visit(run, false);
  }

 private:
  struct User final : Instance::Gate::User {
    User(const SharedUse& use, Ref<Opening> awaited, bool opener, bool isWithin) noexcept
        : Instance::Gate::User(use.instance_->gate, std::move(awaited), opener),
          program(use),
          within(isWithin) {}

    void goOn(Run& run) {
      const bool cancelled = this->leave();
      Opening* const opening = this->opening();
      if (!opening) return cancelled ? run.stop(Errors()) : program.visit(run, this->promised());
      const auto result = cancelled ? program.gate().depart(*opening, within) : opening->result();
      const bool openedByItself = this->opens && result == OpeningResult::cancelled;
      program.settle(run, *opening, result, cancelled || openedByItself);
    }

    /// The run's executor refused to continue the run.
    void refused(Run& run) {
      this->leave();
      auto& gate = program.gate();
      if (this->promised()) gate.decline();
      if (this->opening() && gate.depart(*this->opening(), within) == OpeningResult::opened)
        finalizeStop(run, program.instance_->wayOut());
    }

    const SharedUse& program;
    const bool within;
  };

  /// For a run that its executor has refused to continue.
  static void toError(Run& run) {
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

  /// Continues the run after the opening, or stops it.
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
    run.push<nullptr, toError>();
    run.park(
        run.push<&User::goOn, &User::refused>(makeRef<User>(*this, std::move(opening), isOpener, within)),
        {"a shared value", location_});
  }

  typename Instance::Gate& gate() const noexcept { return instance_->gate; }

  Ref<Instance> instance_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
