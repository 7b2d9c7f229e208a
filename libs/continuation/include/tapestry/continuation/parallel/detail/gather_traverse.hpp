// Defines GatherTraverse, which makes branches from a range and runs a limited number at a time, and, for
// programs that cannot fail, traverse.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <span>  // the concepts of ranges, without the views
#include <type_traits>
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
    if constexpr (!Abandonable<Stored<A>>)
      return false;
    else if constexpr (requires { outcome.get().release; })
      return outcome.hasValue() && outcome.get().release;
    else
      return outcome.hasValue();
  }

  std::uintptr_t begun_ = 0;
  SpinLock lock_;  ///< guards left_
  std::list<Left> left_;
};

/// Throws std::invalid_argument for 0.
std::int64_t checkedLimit(const char* operation, std::size_t limit);

/// For Joined. `Judge` as for GatherTuple; `Kept` is AllOutcomes or LeftOutcomes.
template <class Judge, class R, class F, template <class, class> class Kept>
class GatherTraverse {
  using A = typename ResultOf<F, std::ranges::range_reference_t<R>>::ValueType;

 public:
  using Outcomes = typename Kept<Judge, A>::Outcomes;

  /// `operation` is the name in messages. Throws std::invalid_argument for a limit of 0.
  GatherTraverse(const char* operation, R range, std::size_t limit, F function, Location location)
      : range_(std::move(range)),
        limit_(checkedLimit(operation, limit)),
        function_(std::move(function)),
        operation_(operation),
        location_(location) {}

  /// Calls finish(run, kept outcomes, whether the range had no further element) when all branches have ended.
  template <auto finish>
  void begin(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    auto state = noThrow(operation_, location_, given, [this] { return makeRef<State>(*this); });
    constexpr auto take = [](State& ended, Run& r) {
      Outcomes outcomes = ended.take();
      finish(r, outcomes, ended.exhausted);
    };
    constexpr auto drop = [](State& ended, Run& r) {
      Outcomes outcomes = ended.take();
      finalizeAll(r, outcomes);
    };
    run.push<take, drop>(std::move(state)).begin(run, limit_, location_);
  }

 private:
  static constexpr const char* given = "range or function";

  class State final : public Traverse {
   public:
    explicit State(const GatherTraverse& program) : program_(program), source_(program.range_) {}
    /// A token may keep this object alive longer, but must not keep the user's range.
    Outcomes take() noexcept {
      source_.reset();
      return kept_.take();
    }
    bool exhausted = false;  ///< whether the range has no further element

   private:
    Branch pull() noexcept override {
      return noThrow(program_.operation_, program_.location_, given, [this]() -> Branch {
        // not earlier: looking for an element may take long, or for ever after the last element that is
        // needed
        if (source_->begun && !exhausted) ++source_->next;
        source_->begun = true;
        exhausted = source_->next == std::ranges::end(source_->range);
        if (exhausted) return {nullptr, nullptr};
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

/// Of programs whose values are wanted as a B, which is void if they are dropped.
template <class Judge, class B, class R, class F>
using TraverseFor = std::conditional_t<std::is_void_v<B>, GatherTraverse<Judge, R, F, LeftOutcomes>,
                                       GatherTraverse<Judge, R, F, AllOutcomes>>;

/// Puts a std::vector of the values of all branches, or nothing if B is void, or stops with the errors of
/// all.
template <class B, class Outcomes>
struct TraversedTo {
  using ValueType = B;

  static void finish(Run& run, Outcomes& outcomes, bool exhausted) {
    bool complete = exhausted;
    for (const auto& outcome : outcomes) complete = complete && outcome.hasValue();
    if (!complete) {
      run.stop(Errors());
      return finalizeAll(run, outcomes);
    }
    if constexpr (std::is_void_v<B>) {
      putAfter(run, finalizersOf(outcomes), Unit{}, [](Unit&& unit) { return unit; });
    } else {
      B values;
      values.reserve(outcomes.size());
      for (auto& outcome : outcomes) values.push_back(std::move(outcome.get()));
      run.put<B>(std::move(values));
    }
  }
};

/// Yields a std::vector of the values of all branches, or, if B is void, nothing; stops with the errors of
/// branches without a value. `operation` is the name in messages.
template <class B, class R, class F>
auto traverse(const char* operation, R range, std::size_t limit, F function, Location location) {
  using Branches = TraverseFor<NeverFails, B, R, F>;
  return Joined<Branches, TraversedTo<B, typename Branches::Outcomes>>(
      Branches(operation, std::move(range), limit, std::move(function), location));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
