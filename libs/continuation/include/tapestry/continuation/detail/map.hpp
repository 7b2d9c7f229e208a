// Defines Map, the program behind ProgramOperations::map.
#pragma once

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/detail/program_operations.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// `Where` is a Location, or Nowhere for functions that never throw.
template <class Source, class F, class Where>
class [[nodiscard("a program does nothing until it is run")]] Map
    : public ProgramOperations<Map<Source, F, Where>> {
  using A = typename Source::ValueType;

 public:
  using ValueType = ResultOf<F, A>;

  Map(Source&& source, F&& function, Location location)
      : source_(std::move(source)), function_(std::move(function)), location_(location) {}
  template <class Make>
  Map(Source&& source, InPlace<Make> function, Location location)
      : source_(std::move(source)), function_(function.make()), location_(location) {}

  Stored<ValueType> eval() const
    requires SyncProgram<Source>
  {
    return apply(source_.eval());
  }

  void step(Run& run, Keeper keeper) const {
    if constexpr (SyncProgram<Source>) {
      stepAtOnce(*this, run);
    } else {
      constexpr auto resume = [](const Map& self, Run& r) {
        r.put<Stored<ValueType>>(self.apply(r.take<Stored<A>>()));
      };
      run.push<resume>(this, std::move(keeper));
      source_.step(run, {});
    }
  }

 private:
  Stored<ValueType> apply(Stored<A> value) const {
    return callNoThrow<A>("map", location_, function_, std::move(value));
  }

  Source source_;
  F function_;
  [[no_unique_address]] Where location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
