// Defines Scheduler, an executor for tests that shuffles what is ready by a seed, and finds deadlocks, and
// cancelAtEveryStep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/named.hpp"
#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/random.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/testing/virtual_clock.hpp"

namespace tapestry::detail {

/// Makes a request to stop before the k-th step of this thread, while it stands.
class RequestAtStep final : public StopWatch {
 public:
  explicit RequestAtStep(std::size_t k) noexcept : left_(k) { source_.token().state().watch(); }
  RequestAtStep(const RequestAtStep&) = delete;
  RequestAtStep& operator=(const RequestAtStep&) = delete;
  ~RequestAtStep() { threadState.stopWatch = outer_; }

  const StopSource& source() const noexcept { return source_; }
  bool made() const noexcept { return made_; }

  void lookedAt() noexcept override {
    if (left_-- > 0) return;
    made_ = true;
    source_.requestStop();
  }

 private:
  const StopSource source_;
  std::size_t left_;
  bool made_ = false;
  StopWatch* const outer_ = std::exchange<StopWatch*>(threadState.stopWatch, this);
};

}  // namespace tapestry::detail

namespace tapestry::testing {

/// Thrown by Scheduler::run where a run waits and no task is left that could resume it. The text has a line,
/// as dumpRuns writes it, for each of its parallel branches that waits.
struct Deadlock final : std::logic_error {
  using std::logic_error::logic_error;
};

/// Whatever is ready, a run that goes on or parallel branches that are about to begin, is a task; one after
/// the other is chosen at random. The same seed gives the same choices on every machine, and the same random
/// numbers to the runs. A run keeps its turn until it waits, unless setStepsPerTurn says how many steps it
/// takes. For one thread: callbacks of other threads, and so `blocking`, are outside its
/// control.
class Scheduler final : public Executor {
 public:
  explicit Scheduler(std::uint64_t seed = 0) : Executor(0), seed_(seed), choices_(seed), random_(seed) {}

  /// The clock of the runs. Its time passes when nothing is ready.
  VirtualClock& clock() noexcept { return clock_; }

  /// How many tasks have been executed.
  std::size_t steps() const noexcept { return steps_; }

  /// Called before each step with its number, counted from 0.
  std::function<void(std::size_t)> beforeStep = [](std::size_t) {};

  /// Runs a UnitContinuation, or a Do (include tapestry/raii/clock.hpp), to its end. Throws Deadlock if it
  /// waits for good; it has been cancelled then. One that waited masked is still there, and must not go on
  /// after this scheduler is gone.
  template <class P>
  auto run(P program, const StopSource& stop = {}, detail::Location location = detail::Location::current()) {
    using A = typename P::ValueType;
    const detail::Interlude interlude(false);
    const auto outcome = std::make_shared<std::optional<Outcome<A>>>();
    const auto name = detail::makeRef<const detail::ProgramName>("seed " + std::to_string(seed_), location);
    const auto scope = detail::makeRef<detail::NamedScope>(name, nullptr);
    local<detail::NameSlot>(scope, withRandom(random_, withClock(clock_, std::move(program))))
        .onComplete([outcome](Outcome<A> ended) { outcome->emplace(std::move(ended)); }, *this, stop.token());
    work();
    if (!*outcome) {
      const std::string waits = detail::linesOfRunsIn(*name);
      // what waits in the library ends its wait
      stop.requestStop();
      work();
      throw Deadlock("tapestry::testing::Scheduler: deadlock, the run waits" +
                     std::string(*outcome ? "" : ", masked,") + " and nothing is left to do\n" + waits);
    }
    return std::move(**outcome);
  }

  bool post(detail::Task& task) noexcept override {
    tasks_.push_back(&task);
    return true;
  }
  bool isHere() const noexcept override { return false; }
  bool offer(detail::Task& task) noexcept override { return post(task); }
  bool idle() const noexcept override { return true; }
  bool othersWaitHere() const noexcept override { return true; }

 private:
  void work() {
    for (;;) {
      if (tasks_.empty() && !clock_.advanceToNext()) return;
      if (tasks_.empty()) continue;
      beforeStep(steps_);
      // not uniform_int_distribution, whose results differ from one standard library to another
      std::swap(tasks_[choices_() % tasks_.size()], tasks_.back());
      detail::Task* task = tasks_.back();
      tasks_.pop_back();
      ++steps_;
      detail::threadState.ready.stepsLeft = detail::turnOf(stepsPerTurn());
      detail::drive(*task);
    }
  }

  const std::uint64_t seed_;
  std::mt19937_64 choices_;
  Random random_;
  VirtualClock clock_;
  std::vector<detail::Task*> tasks_;
  std::size_t steps_ = 0;
};

/// Runs make(), a program, again and again, each time on a new Scheduler with the seed: the k-th run is asked
/// to stop before its k-th step, which is a task of the scheduler, or a look at the request, such as each
/// `flatMap` takes. `check(outcome, k)` looks at each. Ends with the run that needs fewer steps than that,
/// and returns how many runs there were; a program that goes on for ever unless it is stopped has no such
/// run.
template <class Make, class Check>
std::size_t cancelAtEveryStep(Make make, Check check, std::uint64_t seed = 0,
                              detail::Location location = detail::Location::current()) {
  for (std::size_t k = 0;; ++k) {
    Scheduler scheduler(seed);
    detail::RequestAtStep request(k);
    scheduler.beforeStep = [&](std::size_t) { request.lookedAt(); };
    try {
      check(scheduler.run(make(), request.source(), location), k);
    } catch (const Deadlock& deadlock) {
      throw Deadlock(deadlock.what() + ("asked to stop before step " + std::to_string(k)));
    }
    if (!request.made()) return k + 1;
  }
}

}  // namespace tapestry::testing
