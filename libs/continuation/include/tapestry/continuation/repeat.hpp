// Defines repeat, repeatUntil and forever, which run one program again and again, in constant memory.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/now.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Runs a program repeatedly until judge(its value), a std::optional<Stored<B>>, has the result. Each run has
/// a judge of its own, which may count. Only the judge of repeatUntil may throw when it is copied: the
/// process then ends. A request to stop is seen after each round, as in a flatMap.
template <class B, class P, class F>
class [[nodiscard("a program does nothing until it is run")]] Again
    : public ProgramOperations<Again<B, P, F>> {
 public:
  using ValueType = B;

  Again(P program, F judge, const Location& location)
      : program_(std::move(program)), judge_(std::move(judge)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    const Keeper kept = std::move(keeper);
    const auto rounds = makeRef<const Rounds>(program_, judge_, location_);
    run.keep(rounds);
    run.next(*rounds);
  }

 private:
  /// The rounds of one run. Each round is a program of the run itself, without a frame below it, so that
  /// scopes entered before a round last until the end of the loop.
  class Rounds final : public ProgramNode {
   public:
    Rounds(const P& program, const F& judge, const Location& location)
        : program_(program),
          judge_(noThrow("repeatUntil", location, "predicate", [&judge] { return F(judge); })) {}

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

  using Where = std::conditional_t<std::is_nothrow_copy_constructible_v<F>, Nowhere, Location>;

  P program_;
  F judge_;
  [[no_unique_address]] Where location_;
};

template <class B, class P, class F>
Again<B, P, F> again(P program, F judge, const Location& location = {}) {
  return {std::move(program), std::move(judge), location};
}

/// A predicate on values A, which is copied for each run.
template <class F, class A>
concept DecidesOn =
    !std::is_void_v<A> && std::predicate<const F&, const Stored<A>&> && std::is_copy_constructible_v<F>;

}  // namespace detail

/// Runs the program the given number of times, one run after the other, and yields nothing.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] UnitContinuation<void> repeat(P program,
                                                                                      std::uint64_t times) {
  using A = typename P::ValueType;
  if (times == 0) return now();
  const auto judge = [left = times](auto&&) mutable {
    return --left == 0 ? std::optional(Unit{}) : std::nullopt;
  };
  return detail::again<void>(UnitContinuation<A>(std::move(program)), judge);
}

void repeat(...) = delete;  // expected a program and a number of times; for a Do raii/repeat.hpp

/// Runs the program repeatedly until its value satisfies the predicate, and yields this value. The predicate
/// is copied in each run; it and the copy must not throw.
template <detail::Program P, detail::DecidesOn<typename P::ValueType> F>
[[nodiscard("a program does nothing until it is run")]] auto repeatUntil(
    P program, F predicate, detail::Location location = detail::Location::current()) {
  using A = typename P::ValueType;
  auto judge = [predicate = std::move(predicate), location](A value) -> std::optional<A> {
    const bool enough = detail::noThrow("repeatUntil", location, "predicate",
                                        [&]() -> bool { return predicate(std::as_const(value)); });
    return enough ? std::optional<A>(std::move(value)) : std::nullopt;
  };
  return detail::again<A>(UnitContinuation<A>(std::move(program)), std::move(judge), location);
}

void repeatUntil(...) = delete;  // expected a program and bool f(const value&); for a Do raii/repeat.hpp

/// Runs the program repeatedly until the run is stopped.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] UnitContinuation<void> forever(P program) {
  const auto judge = [](auto&&) { return std::optional<Unit>(); };
  return detail::again<void>(UnitContinuation(std::move(program)), judge);
}

void forever(...) = delete;  // expected a program; for a Do raii/repeat.hpp

}  // namespace tapestry
#pragma GCC visibility pop
