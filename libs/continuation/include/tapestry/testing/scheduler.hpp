// Defines Scheduler, an executor for tests that shuffles the ready tasks by a seed and finds deadlocks, and
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
#include "tapestry/continuation/random.hpp"
#include "tapestry/testing/virtual_clock.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// During its lifetime, makes a request to stop before the k-th step of this thread.
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
    // after a deadlock the scheduler itself has made the request; this look at it is not counted any more
    made_ = !source_.stopRequested();
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

/// Thrown by Scheduler::run when the run waits and no task is left that could resume it. The text has one
/// line for each waiting parallel branch, in the format of dumpRuns.
struct Deadlock final : std::logic_error {
  using std::logic_error::logic_error;
};

/// Executes the ready tasks in random order; a task is a run that can continue, or parallel branches that can
/// begin. The same seed gives the same choices on every machine, and the same random numbers to the runs. A
/// run keeps its turn until it waits, unless setStepsPerTurn limits its steps. For use on one thread: the
/// scheduler does not control callbacks of other threads, and therefore not `blocking`.
class Scheduler final : public Executor {
 public:
  explicit Scheduler(std::uint64_t seed = 0) : Executor(0), seed_(seed), choices_(seed), random_(seed) {}

  /// The clock of the runs. Its time advances when no task is ready.
  VirtualClock& clock() noexcept { return clock_; }

  /// The number of tasks executed so far.
  std::size_t steps() const noexcept { return steps_; }

  /// Called before each step with its number, counted from 0.
  std::function<void(std::size_t)> beforeStep = [](std::size_t) {};

  /// Runs a UnitContinuation, or a Do (include tapestry/raii/environment.hpp), to its end. Throws Deadlock if
  /// the run waits and nothing can resume it; the run has then been cancelled. A run that waits under `mask`
  /// still exists then, and must not continue after this scheduler is destroyed.
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
      // ends the waits for operations of the library
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
      detail::beginTurn(*this);
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

/// Runs the program make() repeatedly, each time on a new Scheduler with the seed. The k-th run, counted from
/// 0, is asked to stop before its k-th step; a step is a task of the scheduler, or a check for a request to
/// stop, as in each `flatMap`. Calls `check(outcome, k)` after each run. Ends with the first run that ends
/// before its k-th step, and returns the number of runs; does not end for a program that runs for ever unless
/// it is stopped.
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
      const std::string asked =
          request.made() ? "asked to stop before step " : "not yet asked to stop, which was due before step ";
      throw Deadlock(deadlock.what() + asked + std::to_string(k));
    }
    if (!request.made()) return k + 1;
  }
}

}  // namespace tapestry::testing
#pragma GCC visibility pop
