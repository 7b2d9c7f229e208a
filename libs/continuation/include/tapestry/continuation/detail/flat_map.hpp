// Defines FlatMap, the program behind ProgramOperations::flatMap.
#pragma once

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// `Where` is a Location, or Nowhere for functions that never throw.
template <class Source, class F, class Where>
class [[nodiscard("a program does nothing until it is run")]] FlatMap
    : public ProgramOperations<FlatMap<Source, F, Where>> {
  using A = typename Source::ValueType;
  using Next = ResultOf<F, A>;

 public:
  using ValueType = typename Next::ValueType;

  FlatMap(Source&& source, F&& function, Location location)
      : source_(std::move(source)), function_(std::move(function)), location_(location) {}
  template <class Make>
  FlatMap(Source&& source, InPlace<Make> function, Location location)
      : source_(std::move(source)), function_(function.make()), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    if constexpr (SyncProgram<Source>) {
      if (stopsBefore<Stored<A>>(run))
        run.stop(Errors());
      else
        proceed(run, source_.eval());
      keeper.release();
    } else {
      constexpr auto resume = [](const FlatMap& self, Run& r) { self.proceed(r, r.take<Stored<A>>()); };
      run.push<resume>(this, std::move(keeper));
      source_.step(run, {});
    }
  }

 private:
  /// The run owns the next program, so that recursion through this function keeps neither frames nor nodes.
  void proceed(Run& run, Stored<A> value) const {
    if (run.stopRequested()) return cancelHolding(run, std::move(value));
    Next next = callNoThrow<A>("flatMap", location_, function_, std::move(value));
    if constexpr (SyncProgram<Next>)
      run.put<Stored<ValueType>>(next.eval());
    else
      run.next(UnitContinuation<ValueType>(std::move(next)).node());
  }

  Source source_;
  F function_;
  [[no_unique_address]] Where location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
