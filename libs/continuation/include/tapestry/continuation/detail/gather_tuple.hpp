// Defines GatherTuple and GatherRange, programs that run branches in parallel and yield how each ended.
#pragma once

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "tapestry/continuation/detail/gather.hpp"
#include "tapestry/continuation/detail/launch.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry::detail {

/// The judge of branches whose values are never failures.
struct NeverFails {
  template <class A>
  static bool failed(const A&) noexcept {
    return false;
  }
};

/// Whether an outcome is a reason to stop the other branches.
template <class Judge, class A>
bool stopsOthers(const Outcome<A>& outcome) noexcept {
  return !outcome.hasValue() || Judge::failed(outcome.get());
}

/// Yields one Outcome per branch, and is not stopped itself. Judge::failed(value) tells which values are
/// failures.
template <class Judge, class... As>
class [[nodiscard]] GatherTuple : public ProgramOperations<GatherTuple<Judge, As...>> {
 public:
  using ValueType = std::tuple<Outcome<As>...>;

  explicit GatherTuple(UnitContinuation<As>... programs) : programs_(std::move(programs)...) {}

  void step(Run& run, const Node* owned) const {
    run.keep(owned);
    auto* state = new State(programs_);
    constexpr auto take = [](const void* self, Run& r) {
      r.put<ValueType>(std::move(const_cast<State*>(static_cast<const State*>(self))->outcomes));
    };
    run.push({state, take, nullptr, state});
    state->begin(run, sizeof...(As));
  }

 private:
  using Programs = std::tuple<UnitContinuation<As>...>;

  class State final : public Gather {
   public:
    explicit State(const Programs& programs) noexcept : programs_(programs) {}
    ValueType outcomes{Outcome<As>::cancelled()...};

   private:
    Ref<const ProgramNode> branch(std::size_t index) noexcept override {
      Ref<const ProgramNode> node;
      at(index, [&](auto i) { node = std::get<i>(programs_).node(); });
      return node;
    }
    bool collect(std::size_t index, Run& run) noexcept override {
      bool stop = false;
      at(index, [&](auto i) {
        using A = std::tuple_element_t<i, std::tuple<std::type_identity<As>...>>::type;
        std::get<i>(outcomes) = takeOutcome<A>(run);
        stop = stopsOthers<Judge>(std::get<i>(outcomes));
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
};

/// As GatherTuple, for branches that are made from a range when the program is run.
template <class Judge, class A>
class [[nodiscard]] GatherRange : public ProgramOperations<GatherRange<Judge, A>> {
 public:
  using ValueType = std::vector<Outcome<A>>;

  explicit GatherRange(std::vector<UnitContinuation<A>> programs) : programs_(std::move(programs)) {}

  void step(Run& run, const Node* owned) const {
    run.keep(owned);
    auto* state = new State(programs_);
    constexpr auto take = [](const void* self, Run& r) {
      r.put<ValueType>(std::move(const_cast<State*>(static_cast<const State*>(self))->outcomes));
    };
    run.push({state, take, nullptr, state});
    state->begin(run, programs_.size());
  }

 private:
  using Programs = std::vector<UnitContinuation<A>>;

  class State final : public Gather {
   public:
    explicit State(const Programs& programs)
        : outcomes(programs.size(), Outcome<A>::cancelled()), programs_(programs) {}
    ValueType outcomes;

   private:
    Ref<const ProgramNode> branch(std::size_t index) noexcept override { return programs_[index].node(); }
    bool collect(std::size_t index, Run& run) noexcept override {
      outcomes[index] = takeOutcome<A>(run);
      return stopsOthers<Judge>(outcomes[index]);
    }

    const Programs& programs_;
  };

  Programs programs_;
};

}  // namespace tapestry::detail
