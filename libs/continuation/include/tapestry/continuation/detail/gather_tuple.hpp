// Defines GatherTuple and GatherRange, programs that run branches in parallel and yield how each ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "tapestry/continuation/detail/gather.hpp"
#include "tapestry/continuation/detail/launch.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry::detail {

/// The judge of branches of which none may be stopped.
struct NeverFails {
  template <class A>
  static bool decides(const Outcome<A>& outcome) noexcept {
    return !outcome.hasValue();
  }
};

/// How branches have ended.
template <class Outcomes>
struct Gathered {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  Outcomes outcomes;
  std::size_t decisive;  ///< the branch that ended the matter first, or none
};

/// Asks the other branches to stop when one decides the matter, and remembers the first that did.
class DecidedGather : public Gather {
 protected:
  bool decide(std::size_t index) noexcept {
    std::size_t none = Gathered<void*>::none;
    decisive_.compare_exchange_strong(none, index);
    return true;
  }
  std::size_t decisive() const noexcept { return decisive_; }

 private:
  std::atomic<std::size_t> decisive_{Gathered<void*>::none};
};

/// Yields one Outcome per branch, and is not stopped itself. Judge::decides(outcome) tells which outcomes are
/// reasons to stop the other branches.
template <class Judge, class... As>
class [[nodiscard]] GatherTuple : public ProgramOperations<GatherTuple<Judge, As...>> {
 public:
  using ValueType = Gathered<std::tuple<Outcome<As>...>>;

  explicit GatherTuple(UnitContinuation<As>... programs) : programs_(std::move(programs)...) {}

  void step(Run& run, const Node* owned) const {
    run.keep(owned);
    auto* state = new State(programs_);
    constexpr auto take = [](const void* self, Run& r) {
      r.put<ValueType>(const_cast<State*>(static_cast<const State*>(self))->gathered());
    };
    run.push({state, take, nullptr, state});
    state->begin(run, sizeof...(As));
  }

 private:
  using Programs = std::tuple<UnitContinuation<As>...>;

  class State final : public DecidedGather {
   public:
    explicit State(const Programs& programs) noexcept : programs_(programs) {}
    ValueType gathered() noexcept { return {std::move(outcomes_), decisive()}; }

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
        std::get<i>(outcomes_) = takeOutcome<A>(run);
        stop = Judge::decides(std::get<i>(outcomes_)) && decide(index);
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
    std::tuple<Outcome<As>...> outcomes_{Outcome<As>::cancelled()...};
  };

  Programs programs_;
};

/// As GatherTuple, for branches that are made from a range when the program is run.
template <class Judge, class A>
class [[nodiscard]] GatherRange : public ProgramOperations<GatherRange<Judge, A>> {
 public:
  using ValueType = Gathered<std::vector<Outcome<A>>>;

  explicit GatherRange(std::vector<UnitContinuation<A>> programs) : programs_(std::move(programs)) {}

  void step(Run& run, const Node* owned) const {
    run.keep(owned);
    auto* state = new State(programs_);
    constexpr auto take = [](const void* self, Run& r) {
      r.put<ValueType>(const_cast<State*>(static_cast<const State*>(self))->gathered());
    };
    run.push({state, take, nullptr, state});
    state->begin(run, programs_.size());
  }

 private:
  using Programs = std::vector<UnitContinuation<A>>;

  class State final : public DecidedGather {
   public:
    explicit State(const Programs& programs) : programs_(programs) {
      outcomes_.reserve(programs.size());
      for (std::size_t i = 0; i < programs.size(); ++i) outcomes_.push_back(Outcome<A>::cancelled());
    }
    ValueType gathered() noexcept { return {std::move(outcomes_), decisive()}; }

   private:
    Ref<const ProgramNode> branch(std::size_t index) noexcept override { return programs_[index].node(); }
    bool collect(std::size_t index, Run& run) noexcept override {
      outcomes_[index] = takeOutcome<A>(run);
      return Judge::decides(outcomes_[index]) && decide(index);
    }

    const Programs& programs_;
    std::vector<Outcome<A>> outcomes_;
  };

  Programs programs_;
};

}  // namespace tapestry::detail
