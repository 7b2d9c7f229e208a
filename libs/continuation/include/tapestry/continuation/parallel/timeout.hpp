// Defines timeout, which ends a program that takes too long, and Timed, the program behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "tapestry/continuation/detail/timer_queue.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The stop state of the runs in this environment: requested by the outer stop state, or by the clock when
/// the time is over, so that also a run that never suspends sees the request. Held by frames of the run, and
/// by the timer until it has expired or is cancelled.
class Deadline final : public StopState, public Environment, private Timer {
 public:
  explicit Deadline(const Run& run);

  void start(Clock::Duration duration) noexcept;
  /// To be called when the program has ended; returns true if that was late. Afterwards the clock does not
  /// request a stop.
  bool end() noexcept;

 private:
  void expired() noexcept override;
  std::uintptr_t branchOf(const Run& run) const noexcept override { return &run == &run_; }

  const Run& run_;
  Clock& clock_;
  bool ended_ = false;
  bool late_ = false;
};

/// `Result::of(value)` makes the result of a program that ends in time; `Result::late(errors, run)` puts the
/// result of a late program into the run, or stops the run.
template <class P, class Result>
class [[nodiscard("a program does nothing until it is run")]] Timed
    : public ProgramOperations<Timed<P, Result>> {
  using A = Stored<typename P::ValueType>;

 public:
  using ValueType = typename Result::ValueType;

  Timed(P program, Clock::Duration duration) : program_(std::move(program)), duration_(duration) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    const auto deadline = makeRef<Deadline>(run);
    run.push<inTime, stopped>(deadline);
    run.push<checkTime>(deadline.get());
    run.enter(Ref<const Deadline>::share(deadline.get()));
    deadline->start(duration_);
    program_.step(run, {});
  }

 private:
  static void checkTime(Deadline& deadline, Run& run) {
    if (deadline.end()) cancelHolding(run, run.take<A>());
  }
  static void inTime(Deadline&, Run& run) { run.put<ValueType>(Result::of(run.take<A>())); }
  static void stopped(Deadline& deadline, Run& run) {
    if (deadline.end() && !run.stopRequested()) Result::late(run.takeStop(), run);
  }

  P program_;
  Clock::Duration duration_;
};

template <class A>
struct OptionalIfLate {
  using ValueType = std::optional<A>;

  static ValueType of(A value) { return ValueType(std::move(value)); }
  static void late(Errors errors, Run& run) {
    if (!errors.empty()) return run.stop(std::move(errors));
    run.put<ValueType>(std::nullopt);
  }
};

}  // namespace detail

/// Yields the value, or nothing if the program takes longer than the duration by the run's clock. The program
/// is then asked to stop, even if it never suspends. Completes only when the program has ended.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto timeout(P program, detail::Ticks duration) {
  using A = Stored<typename P::ValueType>;
  return detail::Timed<P, detail::OptionalIfLate<A>>(std::move(program), duration.count);
}

void timeout(...) = delete;  // expected a program and a std::chrono::duration; for a Do raii/timeout.hpp

}  // namespace tapestry
#pragma GCC visibility pop
