// Defines MakeInstance, by which a user of a pool gets a fresh instance, and InstanceOpening, the run that
// makes it.
#pragma once

#include <optional>
#include <utility>

#include "tapestry/raii/detail/pool_state.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class R>
class InstanceOpening final : public PoolOpening {
  using State = PoolState<R>;
  using Made = typename Do<R>::Acquired;

 public:
  InstanceOpening(Ref<State> state, Ref<PoolPlace> place, const Run& user) noexcept
      : PoolOpening(state, std::move(place), user), state_(std::move(state)) {}

  /// Returns true if the user has left.
  bool start(Run& user) {
    return startAndLeave(user, frameOf<&InstanceOpening::made, &InstanceOpening::stopped>(this),
                         *state_->factory_.acquire().node(), [this] { return leave(); });
  }

  /// For the user, for which this has ended: takes the result; none if the opening was cancelled.
  std::optional<Made> take() noexcept { return std::exchange(made_, std::nullopt); }

  /// Lends the made instance to the user, or fails with its error.
  typename Do<Handle<R>>::Acquired lend(Made made) {
    if (made.value.hasValue()) return state_->lend(makeRef<typename State::Instance>(std::move(made)));
    return {Try<Handle<R>>::failure(made.value.error()), std::move(made.release)};
  }

  /// For a user that is stopping: makes the instance idle, or releases the resources of a failed opening.
  void drop(Run& user) noexcept {
    auto made = take();
    if (!made) return;
    if (made->value.hasValue())
      state_->putIdle(makeRef<typename State::Instance>(*std::move(made)));
    else if (made->release)
      finalizeStop(user, std::move(*made->release).node());
  }

 private:
  void made(Run& run) { end(run, run.take<Made>()); }
  void stopped(Run& run) {
    const std::exception_ptr error = run.takeStop().toException();
    std::optional<Made> none;
    if (error) none.emplace(Made{Try<R>::failure(error), {}});
    end(run, std::move(none));
  }

  void end(Run& run, std::optional<Made> result) noexcept {
    made_ = std::move(result);
    if (endForUser()) return run.put(Unit{});
    constexpr auto dropped = [](InstanceOpening& opening, Run& r) {
      r.takeStop();
      opening.givePlace(r);
    };
    run.push<nullptr, dropped>(this);
    run.stop(Errors());
    drop(run);
  }

  const Ref<State> state_;
  std::optional<Made> made_;
};

/// Yields a fresh instance, lent to the run that holds the place.
template <class R>
class [[nodiscard("a program does nothing until it is run")]] MakeInstance
    : public ProgramOperations<MakeInstance<R>> {
  using State = PoolState<R>;
  using Opening = InstanceOpening<R>;

 public:
  using ValueType = typename Do<Handle<R>>::Acquired;

  MakeInstance(Ref<State> state, Ref<PoolPlace> place, Location location) noexcept
      : state_(std::move(state)), place_(std::move(place)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    const auto opening = makeRef<Opening>(state_, place_, run);
    if (opening->start(run)) return run.stop(Errors());
    if (opening->hasEnded()) return settle(run, *opening, false);
    run.park(run.push<goOn, refused>(makeRef<PoolOpening::User>(opening)),
             {"an instance of a pool", location_});
  }

 private:
  static void goOn(PoolOpening::User& user, Run& run) {
    const bool cancelled = user.leave();
    if (cancelled && user.opening().leave()) return run.stop(Errors());
    settle(run, static_cast<Opening&>(user.opening()), cancelled);
  }

  /// The run's executor refused to continue the run.
  static void refused(PoolOpening::User& user, Run& run) {
    user.leave();
    if (!user.opening().leave()) static_cast<Opening&>(user.opening()).drop(run);
  }

  static void settle(Run& run, Opening& opening, bool cancelled) {
    if (cancelled) {
      run.stop(Errors());
      return opening.drop(run);
    }
    auto made = opening.take();
    if (!made) return run.stop(Errors());
    run.put(opening.lend(*std::move(made)));
  }

  Ref<State> state_;
  Ref<PoolPlace> place_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
