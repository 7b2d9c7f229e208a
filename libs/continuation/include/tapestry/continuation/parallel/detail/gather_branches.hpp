// Defines GatherBranches, the program that runs branches in parallel and yields their outcomes, and functions
// of outcomes.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/continuation/parallel/detail/gather.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Calls f(element) for each element of a tuple or a range, in order.
template <class... Ts, class F>
void forEachIn(std::tuple<Ts...>& elements, const F& f) {
  std::apply([&f](auto&... element) { (..., f(element)); }, elements);
}
template <class Range, class F>
  requires requires(Range& range) { range.begin(); }
void forEachIn(Range& elements, const F& f) {
  for (auto& element : elements) f(element);
}

/// The errors of all branches, in order.
template <class Outcomes>
Errors errorsOf(Outcomes& outcomes) {
  Errors errors;
  detail::forEachIn(outcomes, [&errors](const auto& outcome) {
    if (outcome.hasError()) errors.append(outcome.error());
  });
  return errors;
}

/// For a run that its executor has refused when all its branches have ended: adds the errors of the branches
/// to those of the stop, and runs the finalizers of values that must not be dropped, the last first.
template <class Outcomes>
void finalizeAll(Run& run, Outcomes& outcomes) {
  Errors errors = run.takeStop();
  std::vector<UnitContinuation<Errors>> finalizers;
  detail::forEachIn(outcomes, [&]<class A>(Outcome<A>& outcome) {
    if (outcome.hasError()) errors.append(outcome.error());
    if (!outcome.hasValue()) return;
    if constexpr (Abandonable<Stored<A>>) {
      errors.append(outcome.get().errors());
      finalizers.push_back(outcome.get().abandon());
    } else if constexpr (std::same_as<A, Errors>) {
      errors.append(outcome.get());
    }
  });
  run.stop(std::move(errors));
  if (finalizers.empty()) return;
  UnitContinuation<Errors> all = std::move(finalizers.back());
  for (finalizers.pop_back(); !finalizers.empty(); finalizers.pop_back())
    all = std::move(all).flatMap([following = std::move(finalizers.back())](const Errors& before) {
      return following.map(after(before));
    });
  finalizeStop(run, std::move(all).node());
}

/// The judge of branches that must all yield values: a branch without a value stops the others.
struct NeverFails {
  template <class A>
  static bool decides(const Outcome<A>& outcome) noexcept {
    return !outcome.hasValue();
  }
};

/// Calls f(index, element at the index) for a tuple or a vector. For a tuple the index is a constant.
template <class Tuple, class F>
  requires requires { std::tuple_size<std::remove_const_t<Tuple>>::value; }
void atIndex(Tuple& elements, std::size_t index, const F& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (..., (i == index ? f(std::integral_constant<std::size_t, i>(), std::get<i>(elements)) : void()));
  }(std::make_index_sequence<std::tuple_size_v<std::remove_const_t<Tuple>>>());
}
template <class Vector, class F>
void atIndex(Vector& elements, std::size_t index, const F& f) {
  f(index, elements[index]);
}

template <class Outcomes>
class OutcomesGather;

/// The outcomes of branches.
template <class Outcomes>
struct Gathered {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// A ticket may keep the gather alive longer, but must not keep the user's values.
  struct GiveUp {
    void operator()(OutcomesGather<Outcomes>* gather) const noexcept {
      gather->outcomes.reset();
      gather->release();
    }
  };

  std::unique_ptr<OutcomesGather<Outcomes>, GiveUp> owner;
  Outcomes& outcomes;    ///< part of `owner`
  std::size_t decisive;  ///< the first branch that stopped the others, or none
};

/// Asks the other branches to stop when the judge says so, and remembers the first branch that caused it.
template <class Outcomes>
class OutcomesGather : public Gather {
 public:
  std::optional<Outcomes> outcomes;

  /// Calls `finish` in the parent, which owns this object, with the outcomes of the branches.
  template <void (*finish)(Run& parent, Gathered<Outcomes> gathered)>
  void beginIn(Run& run, std::size_t count, const Location& location) {
    using Ended = Gathered<Outcomes>;
    constexpr auto take = [](OutcomesGather& taken, Run& r) {
      finish(r, Ended{{&taken, {}}, *taken.outcomes, taken.decisive_});
    };
    constexpr auto drop = [](OutcomesGather& dropped, Run& r) {
      finalizeAll(r, *dropped.outcomes);
      typename Ended::GiveUp()(&dropped);
    };
    run.push<take, drop>(this);
    begin(run, count, location);
  }

 protected:
  explicit OutcomesGather(Outcomes initial) noexcept : outcomes(std::move(initial)) {}

  /// Returns true for the first branch that decides.
  bool decide(std::size_t index) noexcept {
    std::size_t none = Gathered<Outcomes>::none;
    return decisive_.compare_exchange_strong(none, index);
  }

 private:
  std::atomic<std::size_t> decisive_{Gathered<Outcomes>::none};
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

/// Runs the programs of a tuple or a vector, yields one Outcome for each, and is not stopped by their
/// failures. Judge::decides(outcome) returns whether the outcome is a reason to stop the other branches.
template <class Judge, class Programs>
class [[nodiscard("a program does nothing until it is run")]] GatherBranches
    : public ProgramOperations<GatherBranches<Judge, Programs>> {
 public:
  using Outcomes = decltype(outcomesFor(std::declval<const Programs&>()));
  using ValueType = Gathered<Outcomes>;

  GatherBranches(Programs programs, Location location)
      : programs_(std::move(programs)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto put = [](Run& r, ValueType gathered) { r.put(std::move(gathered)); };
    stepThen<put>(run, std::move(keeper));
  }
  /// As step, but passes the outcomes to `finish`, without a frame.
  template <void (*finish)(Run& run, ValueType gathered)>
  void stepThen(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    auto* const state = new State(programs_);
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
      detail::atIndex(*this->outcomes, index, [&](auto, auto& outcome) {
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

/// The program that continues with Finish::finish(run, gathered) when all branches have ended, and yields a
/// Finish::ValueType. `Branches` has a function stepThen like GatherBranches.
template <class Branches, class Finish>
class [[nodiscard("a program does nothing until it is run")]] Joined
    : public ProgramOperations<Joined<Branches, Finish>> {
 public:
  using ValueType = typename Finish::ValueType;

  explicit Joined(Branches branches) : branches_(std::move(branches)) {}

  void step(Run& run, Keeper keeper) const {
    branches_.template stepThen<Finish::finish>(run, std::move(keeper));
  }

 private:
  Branches branches_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
