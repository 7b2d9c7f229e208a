// Defines parTraverse, which runs a program for each element of a range, so many at a time.
#pragma once

#include <concepts>
#include <cstddef>
#include <deque>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "tapestry/continuation/detail/gather_tuple.hpp"
#include "tapestry/continuation/detail/misfit.hpp"
#include "tapestry/continuation/detail/traverse.hpp"

namespace tapestry {

namespace detail {

/// How elements have ended: those that were begun, in order.
template <class A>
struct Traversed {
  std::deque<Outcome<A>> outcomes;
  bool exhausted;  ///< whether there was no other element
};

/// `Judge` as for GatherTuple.
template <class Judge, class R, class F>
class [[nodiscard("a program does nothing until it is run")]] GatherTraverse
    : public ProgramOperations<GatherTraverse<Judge, R, F>> {
  using A = typename std::invoke_result_t<const F&, std::ranges::range_reference_t<R>>::ValueType;

 public:
  using ValueType = Traversed<A>;

  GatherTraverse(R range, std::int64_t limit, F function, Location location)
      : range_(std::move(range)), limit_(limit), function_(std::move(function)), location_(location) {}

  void step(Run& run, const Node* owned) const {
    run.keep(owned);
    auto* state = noThrow("parTraverse", location_, given, [this] { return new State(*this); });
    constexpr auto take = [](const void* self, Run& r) {
      r.put<ValueType>(const_cast<State*>(static_cast<const State*>(self))->takeTraversed());
    };
    constexpr auto drop = [](const void* self, Run& r) {
      auto traversed = const_cast<State*>(static_cast<const State*>(self))->takeTraversed();
      LeftBehind left;
      for (auto& outcome : traversed.outcomes) left.add(outcome);
      left.finalizeIn(r);
    };
    run.push({state, take, drop, state});
    state->begin(run, limit_, location_);
  }

 private:
  static constexpr const char* given = "range or function";

  class State final : public Traverse {
   public:
    explicit State(const GatherTraverse& program) : program_(program), source_(program.range_) {}
    /// Whoever keeps a token of a branch keeps this, but must not keep what is the user's.
    ValueType takeTraversed() noexcept {
      source_.reset();
      return std::move(traversed_);
    }

   private:
    Branch pull() noexcept override {
      return noThrow("parTraverse", program_.location_, given, [this]() -> Branch {
        // not before: to look for an element may take long, or for ever after the last that will be asked for
        if (!traversed_.outcomes.empty() && !traversed_.exhausted) ++source_->next;
        traversed_.exhausted = source_->next == std::ranges::end(source_->range);
        if (traversed_.exhausted) return {nullptr, nullptr};
        UnitContinuation<A> program = program_.function_(*source_->next);
        // a deque's elements stay where they are
        traversed_.outcomes.push_back(Outcome<A>::cancelled());
        return {program.node(), &traversed_.outcomes.back()};
      });
    }
    bool collect(void* place, Run& run) noexcept override {
      auto& outcome = *static_cast<Outcome<A>*>(place);
      replaceOutcome(outcome, run);
      return Judge::decides(outcome);
    }

    const GatherTraverse& program_;
    struct Source {
      explicit Source(const R& from) : range(from), next(std::ranges::begin(range)) {}
      R range;
      std::ranges::iterator_t<R> next;
    };
    std::optional<Source> source_;
    ValueType traversed_{{}, false};
  };

  R range_;
  std::int64_t limit_;
  F function_;
  Location location_;
};

/// The values, or the errors of those that have none.
template <class R, class F>
class [[nodiscard("a program does nothing until it is run")]] ParTraverse
    : public ProgramOperations<ParTraverse<R, F>> {
  using Gather = GatherTraverse<NeverFails, R, F>;
  using A = Stored<typename std::invoke_result_t<const F&, std::ranges::range_reference_t<R>>::ValueType>;

 public:
  using ValueType = std::vector<A>;

  ParTraverse(R range, std::int64_t limit, F function, Location location)
      : gather_(std::move(range), limit, std::move(function), location) {}

  void step(Run& run, const Node* owned) const {
    run.push({this, finish, nullptr, owned});
    gather_.step(run, nullptr);
  }

 private:
  static void finish(const void*, Run& run) {
    auto [outcomes, exhausted] = run.take<typename Gather::ValueType>();
    Errors errors;
    std::vector<A> values;
    values.reserve(outcomes.size());
    for (auto& outcome : outcomes) {
      if (outcome.hasError()) errors.append(outcome.error());
      if (outcome.hasValue()) values.push_back(std::move(outcome.get()));
    }
    if (!exhausted || values.size() != outcomes.size()) return run.stop(std::move(errors));
    run.put<ValueType>(std::move(values));
  }

  Gather gather_;
};

/// Whether each run can have its copy. Containers say of themselves that they can, whatever they hold.
template <class R>
inline constexpr bool canBeCopied = std::copy_constructible<R>;
template <class R>
  requires requires {
    typename R::allocator_type;
    typename R::value_type;
  } && (!std::same_as<typename R::value_type, R>)
inline constexpr bool canBeCopied<R> = std::copy_constructible<R> && canBeCopied<typename R::value_type>;

/// Throws std::invalid_argument for 0.
std::int64_t checkedLimit(const char* operation, std::size_t limit);

}  // namespace detail

/// Runs function(element), a program, for each element, at most `limit` of them at a time and in parallel as
/// far as the environment has idle workers, and yields their values as a vector, in the order of the range.
/// An element is looked for and read when its program is about to begin, never two at once; so the range may
/// be endless, if something stops the run. Each run copies the range, which for a view is cheap. If one
/// program is stopped, so are the others, and the whole, with their errors, in order. An empty range yields
/// an empty vector. Throws std::invalid_argument for a limit of 0. Neither the function nor the range may
/// throw.
template <std::ranges::input_range R, class F>
[[nodiscard("a program does nothing until it is run")]] auto parTraverse(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  using Element = std::ranges::range_reference_t<R>;
  constexpr bool accepted = std::invocable<const F&, Element>;
  static_assert(accepted,
                "tapestry::parTraverse: the function does not accept an element, expected f(element)");
  constexpr bool makesProgram = !accepted || detail::ReturnsProgram<F, Element>;
  static_assert(makesProgram, "tapestry::parTraverse: the function does not return a program");
  constexpr bool copies = detail::canBeCopied<R>;
  static_assert(copies,
                "tapestry::parTraverse: every run copies the range, expected one that can be copied (such as "
                "a view of it)");
  if constexpr (accepted && makesProgram && copies && !detail::ReturnsAnything<F, Element>)
    return detail::ParTraverse<R, F>(std::move(range), detail::checkedLimit("parTraverse", limit),
                                     std::move(function), location);
  else
    return detail::AnyProgram();  // the static_assert has said it all
}

template <class T = void>
detail::Misfit parTraverse(detail::Misfit, detail::Misfit = {}, detail::Misfit = {}) {
  static_assert(
      detail::fits<T>,
      "tapestry::parTraverse: expected a range, a limit and a function that makes a program of an element");
  return {};
}

}  // namespace tapestry
