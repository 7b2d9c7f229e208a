// Defines GatherBranches, which runs programs in parallel, and Joined, the program of their outcomes.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "tapestry/continuation/parallel/detail/gather.hpp"
#include "tapestry/continuation/parallel/detail/outcomes.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The judge of branches that must all yield values: a branch without a value stops the others.
struct NeverFails {
  template <class A>
  static bool decides(const Outcome<A>& outcome) noexcept {
    return !outcome.hasValue();
  }
};

/// Asks the other branches to stop when the judge says so, and remembers the first branch that caused it.
template <class Outcomes>
class OutcomesGather : public Gather {
 public:
  /// The index of no branch.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Calls finish(parent, outcomes, decisive) in the parent, which owns this object, with the outcomes of the
  /// branches and the first branch that stopped the others, or none.
  template <auto finish>
  void beginIn(Run& run, std::size_t count, const Location& location) {
    // a ticket may keep this object alive longer, but must not keep the user's values
    constexpr auto take = [](OutcomesGather& ended, Run& r) {
      finish(r, *ended.outcomes_, ended.decisive_.load());
      ended.outcomes_.reset();
    };
    constexpr auto drop = [](OutcomesGather& ended, Run& r) {
      finalizeAll(r, *ended.outcomes_);
      ended.outcomes_.reset();
    };
    run.push<take, drop>(Ref<OutcomesGather>::adopt(this)).begin(run, count, location);
  }

 protected:
  explicit OutcomesGather(Outcomes initial) noexcept : outcomes_(std::move(initial)) {}

  Outcomes& outcomes() noexcept { return *outcomes_; }

  /// Returns true for the first branch that decides.
  bool decide(std::size_t index) noexcept {
    std::size_t undecided = none;
    return decisive_.compare_exchange_strong(undecided, index);
  }

 private:
  std::optional<Outcomes> outcomes_;
  std::atomic<std::size_t> decisive_{none};
};

/// One Outcome for each program, cancelled until its branch has ended.
template <class... As>
std::tuple<Outcome<As>...> outcomesFor(const std::tuple<UnitContinuation<As>...>&) {
  return {Outcome<As>::cancelled()...};
}
template <class A>
std::vector<Outcome<A>> outcomesFor(const std::vector<UnitContinuation<A>>& programs) {
  std::vector<Outcome<A>> outcomes;
  outcomes.reserve(programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) outcomes.push_back(Outcome<A>::cancelled());
  return outcomes;
}

/// Runs the programs of a tuple or a vector, for Joined. Judge::decides(outcome) returns whether the outcome
/// is a reason to stop the other branches.
template <class Judge, class Programs>
class GatherBranches {
 public:
  using Outcomes = decltype(outcomesFor(std::declval<const Programs&>()));

  GatherBranches(Programs programs, Location location)
      : programs_(std::move(programs)), location_(location) {}

  /// Calls finish(run, outcomes, decisive) when all branches have ended, as OutcomesGather does.
  template <auto finish>
  void begin(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    State* const state = makeRef<State>(programs_).detach();
    state->template beginIn<finish>(run, state->count(), location_);
  }

 private:
  class State final : public OutcomesGather<Outcomes> {
   public:
    explicit State(const Programs& programs)
        : OutcomesGather<Outcomes>(outcomesFor(programs)), programs_(programs) {}

    std::size_t count() const noexcept {
      if constexpr (requires { programs_.size(); })
        return programs_.size();
      else
        return std::tuple_size_v<Programs>;
    }

   private:
    void start(std::size_t index, Run& run) noexcept override {
      detail::atIndex(programs_, index, [&run](auto, const auto& program) { run.next(*program.node()); });
    }
    bool collect(std::size_t index, Run& run) noexcept override {
      bool stop = false;
      detail::atIndex(this->outcomes(), index, [&](auto, auto& outcome) {
        replaceOutcome(outcome, run);
        stop = Judge::decides(outcome) && this->decide(index);
      });
      return stop;
    }

    const Programs& programs_;
  };

  Programs programs_;
  Location location_;
};

template <class Judge, class... As>
using GatherTuple = GatherBranches<Judge, std::tuple<UnitContinuation<As>...>>;
template <class Judge, class A>
using GatherRange = GatherBranches<Judge, std::vector<UnitContinuation<A>>>;

/// The program that continues with Finish::finish when all branches have ended, and yields a
/// Finish::ValueType. `Branches` has a function begin<finish> like GatherBranches.
template <class Branches, class Finish>
class [[nodiscard("a program does nothing until it is run")]] Joined
    : public ProgramOperations<Joined<Branches, Finish>> {
 public:
  using ValueType = typename Finish::ValueType;

  explicit Joined(Branches branches) : branches_(std::move(branches)) {}

  void step(Run& run, Keeper keeper) const {
    branches_.template begin<Finish::finish>(run, std::move(keeper));
  }

 private:
  Branches branches_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
