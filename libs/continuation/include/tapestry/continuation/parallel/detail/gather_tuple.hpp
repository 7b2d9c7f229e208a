// Defines GatherTuple and GatherRange, programs that run branches in parallel and yield how each ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "tapestry/continuation/detail/engine/launch.hpp"
#include "tapestry/continuation/detail/engine/left_behind.hpp"
#include "tapestry/continuation/parallel/detail/gather.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry::detail {

/// The judge of branches of which none may be stopped.
struct NeverFails {
  template <class A>
  static bool decides(const Outcome<A>& outcome) noexcept {
    return !outcome.hasValue();
  }
};

template <class Outcomes>
class OutcomesGather;

/// How branches have ended.
template <class Outcomes>
struct Gathered {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Who still holds a ticket keeps the gather, but must not keep what is the user's.
  struct GiveUp {
    void operator()(OutcomesGather<Outcomes>* gather) const noexcept {
      gather->outcomes.reset();
      gather->release();
    }
  };

  std::unique_ptr<OutcomesGather<Outcomes>, GiveUp> owner;
  Outcomes& outcomes;    ///< its owner's
  std::size_t decisive;  ///< the branch that ended the matter first, or none
};

template <class Outcomes>
void putGathered(Run& run, Gathered<Outcomes> gathered) {
  run.put(std::move(gathered));
}

/// Asks the other branches to stop when one decides the matter, and remembers the first that did.
template <class Outcomes>
class OutcomesGather : public Gather {
 public:
  std::optional<Outcomes> outcomes;

  /// Calls `finish` in the parent, which owns this, with how the branches have ended.
  template <void (*finish)(Run& parent, Gathered<Outcomes> gathered)>
  void beginIn(Run& run, std::size_t count, const Location& location) {
    using Ended = Gathered<Outcomes>;
    constexpr auto take = [](OutcomesGather& taken, Run& r) {
      finish(r, Ended{{&taken, {}}, *taken.outcomes, taken.decisive_});
    };
    constexpr auto drop = [](OutcomesGather& dropped, Run& r) {
      LeftBehind left;
      if constexpr (requires { dropped.outcomes->begin(); })
        for (auto& outcome : *dropped.outcomes) left.add(outcome);
      else
        std::apply([&left](auto&... outcome) { (..., left.add(outcome)); }, *dropped.outcomes);
      typename Ended::GiveUp()(&dropped);
      left.finalizeIn(r);
    };
    run.push<take, drop>(this);
    begin(run, count, location);
  }

 protected:
  template <class... Initial>
  explicit OutcomesGather(Initial... initial) : outcomes(std::in_place, std::move(initial)...) {}

  bool decide(std::size_t index) noexcept {
    std::size_t none = Gathered<Outcomes>::none;
    decisive_.compare_exchange_strong(none, index);
    return true;
  }

 private:
  std::atomic<std::size_t> decisive_{Gathered<Outcomes>::none};
};

/// Yields one Outcome per branch, and is not stopped itself. Judge::decides(outcome) tells which outcomes are
/// reasons to stop the other branches.
template <class Judge, class... As>
class [[nodiscard("a program does nothing until it is run")]] GatherTuple
    : public ProgramOperations<GatherTuple<Judge, As...>> {
 public:
  using Outcomes = std::tuple<Outcome<As>...>;
  using ValueType = Gathered<Outcomes>;

  explicit GatherTuple(Location location, UnitContinuation<As>... programs)
      : programs_(std::move(programs)...), location_(location) {}

  void step(Run& run, Keeper keeper) const { stepThen<putGathered<Outcomes>>(run, std::move(keeper)); }
  /// As step, but gives the outcomes to `finish`, without a frame.
  template <void (*finish)(Run& run, ValueType gathered)>
  void stepThen(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    (new State(programs_))->template beginIn<finish>(run, sizeof...(As), location_);
  }

 private:
  using Programs = std::tuple<UnitContinuation<As>...>;

  class State final : public OutcomesGather<Outcomes> {
   public:
    explicit State(const Programs& programs) noexcept
        : OutcomesGather<Outcomes>(Outcome<As>::cancelled()...), programs_(programs) {}

   private:
    void start(std::size_t index, Run& run) noexcept override {
      at(index, [&](auto i) { run.next(*std::get<i>(programs_).node()); });
    }
    bool collect(std::size_t index, Run& run) noexcept override {
      bool stop = false;
      at(index, [&](auto i) {
        auto& outcome = std::get<i>(*this->outcomes);
        replaceOutcome(outcome, run);
        stop = Judge::decides(outcome) && this->decide(index);
      });
      return stop;
    }
    template <class F>
    static void at(std::size_t index, F function) {
      [&]<std::size_t... i>(std::index_sequence<i...>) {
        (..., (i == index ? function(std::integral_constant<std::size_t, i>()) : void()));
      }(std::index_sequence_for<As...>());
    }

    const Programs& programs_;
  };

  Programs programs_;
  Location location_;
};

/// As GatherTuple, for branches that are made from a range when the program is run.
template <class Judge, class A>
class [[nodiscard("a program does nothing until it is run")]] GatherRange
    : public ProgramOperations<GatherRange<Judge, A>> {
 public:
  using Outcomes = std::vector<Outcome<A>>;
  using ValueType = Gathered<Outcomes>;

  GatherRange(std::vector<UnitContinuation<A>> programs, Location location)
      : programs_(std::move(programs)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    (new State(programs_))->template beginIn<putGathered<Outcomes>>(run, programs_.size(), location_);
  }

 private:
  using Programs = std::vector<UnitContinuation<A>>;

  class State final : public OutcomesGather<Outcomes> {
   public:
    explicit State(const Programs& programs) : programs_(programs) {
      this->outcomes->reserve(programs.size());
      for (std::size_t i = 0; i < programs.size(); ++i) this->outcomes->push_back(Outcome<A>::cancelled());
    }

   private:
    void start(std::size_t index, Run& run) noexcept override { run.next(*programs_[index].node()); }
    bool collect(std::size_t index, Run& run) noexcept override {
      auto& outcome = (*this->outcomes)[index];
      replaceOutcome(outcome, run);
      return Judge::decides(outcome) && this->decide(index);
    }

    const Programs& programs_;
  };

  Programs programs_;
  Location location_;
};

}  // namespace tapestry::detail
