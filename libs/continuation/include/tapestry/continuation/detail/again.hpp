// Defines Again, the program behind repeat, repeatUntil and forever.
#pragma once

#include <optional>
#include <utility>

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Runs a program repeatedly until judge(its value), a std::optional<Stored<B>>, has the result. Each run has
/// a judge of its own, which may count. A request to stop is seen after each round, as in a flatMap.
template <class B, class P, class F>
class [[nodiscard("a program does nothing until it is run")]] Again
    : public ProgramOperations<Again<B, P, F>> {
 public:
  using ValueType = B;

  Again(P program, F judge) : program_(std::move(program)), judge_(std::move(judge)) {}

  void step(Run& run, Keeper keeper) const {
    const Keeper kept = std::move(keeper);
    const auto rounds = makeRef<const Rounds>(program_, judge_);
    run.keep(rounds);
    run.next(*rounds);
  }

 private:
  /// The rounds of one run. Each round is a program of the run itself, without a frame below it, so that
  /// scopes entered before a round last until the end of the loop.
  class Rounds final : public ProgramNode {
   public:
    Rounds(const P& program, const F& judge) : program_(program), judge_(judge) {}

    void step(Run& run, Keeper::Raw) const override {
      if (run.stopIfRequested()) return;
      run.push<&Rounds::ended>(this);
      program_.step(run, {});
    }

   private:
    void ended(Run& run) const {
      auto value = run.take<Stored<typename P::ValueType>>();
      if (run.stopRequested()) return cancelHolding(run, std::move(value));
      if (std::optional<Stored<B>> result = judge_(std::move(value)))
        run.put<Stored<B>>(*std::move(result));
      else
        run.next(*this);
    }

    const P program_;
    mutable F judge_;
  };

  P program_;
  F judge_;
};

template <class B, class P, class F>
Again<B, P, F> again(P program, F judge) {
  return {std::move(program), std::move(judge)};
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
