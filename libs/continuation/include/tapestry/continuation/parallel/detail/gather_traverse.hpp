// Defines GatherTraverse, the program that makes branches from a range and runs a limited number at a time,
// and, for programs that cannot fail, TraverseValues and TraverseAll.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <span>  // the concepts of ranges, without the views
#include <utility>
#include <vector>

#include "tapestry/continuation/parallel/detail/gather_branches.hpp"
#include "tapestry/continuation/parallel/detail/traverse.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The outcomes of all branches of a traversal, in the order of the range.
template <class Judge, class A>
class AllOutcomes {
 public:
  using Outcomes = std::deque<Outcome<A>>;

  /// Returns the place of the branch that begins next, for `collect`. Calls do not overlap.
  void* begin() {
    outcomes_.push_back(Outcome<A>::cancelled());  // a deque's elements stay where they are
    return &outcomes_.back();
  }
  /// Returns whether the other branches shall be asked to stop. Possibly called concurrently for different
  /// branches.
  bool collect(void* place, Run& run) noexcept {
    auto& outcome = *static_cast<Outcome<A>*>(place);
    replaceOutcome(outcome, run);
    return Judge::decides(outcome);
  }
  /// Called when all branches have ended.
  Outcomes take() noexcept { return std::move(outcomes_); }

 private:
  Outcomes outcomes_;
};

/// The outcomes of a traversal whose values are dropped: only of branches that have failed, were stopped, or
/// left something to release, in the order of the range.
template <class Judge, class A>
class LeftOutcomes {
 public:
  using Outcomes = std::deque<Outcome<A>>;

  void* begin() noexcept { return reinterpret_cast<void*>(begun_++); }
  bool collect(void* place, Run& run) noexcept {
    auto outcome = takeOutcome<A>(run);
    const bool decides = Judge::decides(outcome);
    if (decides || leavesRelease(outcome)) {
      std::list<Left> one;
      one.push_back({reinterpret_cast<std::uintptr_t>(place), std::move(outcome)});
      const SpinGuard guard(lock_);
      left_.splice(left_.end(), one);
    }
    return decides;
  }
  Outcomes take() noexcept {
    left_.sort([](const Left& a, const Left& b) { return a.index < b.index; });
    Outcomes outcomes;
    for (auto& left : left_) outcomes.push_back(std::move(left.outcome));
    left_.clear();
    return outcomes;
  }

 private:
  struct Left {
    std::uintptr_t index;
    Outcome<A> outcome;
  };

  static bool leavesRelease(const Outcome<A>& outcome) noexcept {
    if constexpr (Abandonable<Stored<A>> && requires { outcome.get().release; })
      return outcome.hasValue() && outcome.get().release;
    else
      return false;
  }

  std::uintptr_t begun_ = 0;
  SpinLock lock_;  ///< guards left_
  std::list<Left> left_;
};

/// The kept outcomes of branches.
template <class Outcomes>
struct Traversed {
  Outcomes outcomes;
  bool exhausted;  ///< whether the range had no further element
};

/// `Judge` as for GatherTuple; `Kept` is AllOutcomes or LeftOutcomes.
template <class Judge, class R, class F, template <class, class> class Kept>
class [[nodiscard("a program does nothing until it is run")]] GatherTraverse
    : public ProgramOperations<GatherTraverse<Judge, R, F, Kept>> {
  using A = typename ResultOf<F, std::ranges::range_reference_t<R>>::ValueType;

 public:
  using ValueType = Traversed<typename Kept<Judge, A>::Outcomes>;

  /// `operation` is the name in messages.
  GatherTraverse(const char* operation, R range, std::int64_t limit, F function, Location location)
      : range_(std::move(range)),
        limit_(limit),
        function_(std::move(function)),
        operation_(operation),
        location_(location) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto put = [](Run& r, ValueType traversed) { r.put<ValueType>(std::move(traversed)); };
    stepThen<put>(run, std::move(keeper));
  }
  /// As step, but passes the kept outcomes to `finish`, without a frame.
  template <void (*finish)(Run& run, ValueType traversed)>
  void stepThen(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    auto state = noThrow(operation_, location_, given, [this] { return makeRef<State>(*this); });
    constexpr auto take = [](State& ended, Run& r) { finish(r, ended.takeTraversed()); };
    constexpr auto drop = [](State& ended, Run& r) {
      auto traversed = ended.takeTraversed();
      finalizeAll(r, traversed.outcomes);
    };
    run.push<take, drop>(std::move(state)).begin(run, limit_, location_);
  }

 private:
  static constexpr const char* given = "range or function";

  class State final : public Traverse {
   public:
    explicit State(const GatherTraverse& program) : program_(program), source_(program.range_) {}
    /// A token may keep this object alive longer, but must not keep the user's range.
    ValueType takeTraversed() noexcept {
      source_.reset();
      return {kept_.take(), exhausted_};
    }

   private:
    Branch pull() noexcept override {
      return noThrow(program_.operation_, program_.location_, given, [this]() -> Branch {
        // not earlier: looking for an element may take long, or for ever after the last element that is
        // needed
        if (source_->begun && !exhausted_) ++source_->next;
        source_->begun = true;
        exhausted_ = source_->next == std::ranges::end(source_->range);
        if (exhausted_) return {nullptr, nullptr};
        UnitContinuation<A> program = program_.function_(*source_->next);
        return {program.node(), kept_.begin()};
      });
    }
    bool collect(void* place, Run& run) noexcept override { return kept_.collect(place, run); }

    const GatherTraverse& program_;
    struct Source {
      explicit Source(const R& from) : range(from), next(std::ranges::begin(range)) {}
      R range;
      std::ranges::iterator_t<R> next;
      bool begun = false;
    };
    std::optional<Source> source_;
    Kept<Judge, A> kept_;
    bool exhausted_ = false;
  };

  R range_;
  std::int64_t limit_;
  F function_;
  const char* operation_;
  Location location_;
};

/// Whether the range can be copied for each run. Containers claim to be copyable whatever their elements.
template <class R>
inline constexpr bool canBeCopied = std::copy_constructible<R>;
template <class R>
  requires requires {
    typename R::allocator_type;
    typename R::value_type;
  } && (!std::same_as<typename R::value_type, R>)
inline constexpr bool canBeCopied<R> = std::copy_constructible<R> && canBeCopied<typename R::value_type>;

/// Whether the range can be copied for each run, and F makes a program from each element.
template <class R, class F>
concept TraversableBy =
    std::ranges::input_range<R> && canBeCopied<R> && MakesProgram<F, std::ranges::range_reference_t<R>>;

/// Throws std::invalid_argument for 0.
std::int64_t checkedLimit(const char* operation, std::size_t limit);

/// Puts the values of all branches, or stops with the errors of branches without a value.
template <class A>
struct TraversedValues {
  using ValueType = std::vector<Stored<A>>;

  static void finish(Run& run, Traversed<std::deque<Outcome<A>>> traversed) {
    ValueType values;
    values.reserve(traversed.outcomes.size());
    for (auto& outcome : traversed.outcomes)
      if (outcome.hasValue()) values.push_back(std::move(outcome.get()));
    if (!traversed.exhausted || values.size() != traversed.outcomes.size())
      return run.stop(errorsOf(traversed.outcomes));
    run.put<ValueType>(std::move(values));
  }
};

/// As above, for branches whose values are dropped.
template <class A>
struct TraversedAll {
  using ValueType = void;

  static void finish(Run& run, Traversed<std::deque<Outcome<A>>> traversed) {
    if (traversed.exhausted && traversed.outcomes.empty()) return run.put(Unit{});
    run.stop(errorsOf(traversed.outcomes));
  }
};

template <class R, class F>
using ValueOfElement = typename ResultOf<F, std::ranges::range_reference_t<R>>::ValueType;

/// Yields the values of all branches, or stops with the errors of branches without a value.
template <class R, class F>
using TraverseValues =
    Joined<GatherTraverse<NeverFails, R, F, AllOutcomes>, TraversedValues<ValueOfElement<R, F>>>;
/// As above, but drops the values and keeps nothing of branches that have yielded them.
template <class R, class F>
using TraverseAll =
    Joined<GatherTraverse<NeverFails, R, F, LeftOutcomes>, TraversedAll<ValueOfElement<R, F>>>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
