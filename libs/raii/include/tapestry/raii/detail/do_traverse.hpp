// Defines DoTraverse, the program that joins the Dos which are made of the elements of a range.
#pragma once

#include <concepts>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/continuation/extend/gather.hpp"
#include "tapestry/raii/detail/do_join.hpp"

namespace tapestry::detail {

/// The Do that the function makes of an element.
template <class R, class F>
using DoOfElement = ResultOf<F, std::ranges::range_reference_t<R>>;

template <class R, class F>
concept DoTraversableBy = std::ranges::input_range<R> && canBeCopied<R> && isDo<DoOfElement<R, F>>;

/// Makes what acquires, within the scope of the traversal; what the function throws is the error of its
/// element.
template <class R, class F>
struct AcquireElement {
  using Made = DoOfElement<R, F>;
  UnitContinuation<typename Made::Acquired> operator()(std::ranges::range_reference_t<R> element) const {
    try {
      return function(std::forward<std::ranges::range_reference_t<R>>(element)).acquire();
    } catch (...) {
      return Made::raiseError(std::current_exception()).acquire();
    }
  }
  F function;
};

/// As above, in a scope of each element's own.
template <class R, class F>
struct RunElement {
  using Made = DoOfElement<R, F>;
  UnitContinuation<typename Made::Acquired> operator()(std::ranges::range_reference_t<R> element) const {
    try {
      return function(std::forward<std::ranges::range_reference_t<R>>(element)).run().acquire();
    } catch (...) {
      return Made::raiseError(std::current_exception()).acquire();
    }
  }
  F function;
};

/// Yields a std::vector of the values, or nothing where B is void. `Acquire` is one of the above.
template <class B, class R, class Acquire>
class [[nodiscard("a program does nothing until it is run")]] DoTraverse
    : public ProgramOperations<DoTraverse<B, R, Acquire>> {
  template <class Judge, class A>
  using Kept = std::conditional_t<std::is_void_v<B>, LeftOutcomes<Judge, A>, AllOutcomes<Judge, A>>;
  using Gather = GatherTraverse<FailedTry, R, Acquire, Kept>;

 public:
  using ValueType = typename Do<B>::Acquired;

  DoTraverse(const char* operation, R range, std::int64_t limit, Acquire acquire, Location location)
      : gather_(operation, std::move(range), limit, std::move(acquire), location) {}

  void step(Run& run, Keeper keeper) const {
    run.push<join>(std::move(keeper));
    gather_.step(run, {});
  }

 private:
  static void join(Run& run) {
    auto traversed = run.take<typename Gather::ValueType>();
    BranchesEnd end;
    for (auto& outcome : traversed.outcomes) end.add(outcome);
    if (!traversed.exhausted) return end.fail<B>(run);
    end.join<B>(run, [&] {
      if constexpr (!std::is_void_v<B>) {
        B values;
        values.reserve(traversed.outcomes.size());
        for (auto& outcome : traversed.outcomes) values.push_back(std::move(outcome.get().value.get()));
        return values;
      }
    });
  }

  Gather gather_;
};

template <class B, class R, class Acquire>
Do<B> doTraverse(const char* operation, R range, std::size_t limit, Acquire acquire, Location location) {
  return Do<B>(UnitContinuation<typename Do<B>::Acquired>(stopToError<B>(DoTraverse<B, R, Acquire>(
      operation, std::move(range), checkedLimit(operation, limit), std::move(acquire), location))));
}

}  // namespace tapestry::detail
