// Defines parTraverse of Do, which runs a program for each element of a range, so many at a time.
#pragma once

#include <ranges>
#include <utility>

#include "tapestry/continuation/par_traverse.hpp"
#include "tapestry/raii/detail/do_join.hpp"

namespace tapestry {

namespace detail {

template <class R, class F>
class [[nodiscard("a program does nothing until it is run")]] DoTraverse
    : public ProgramOperations<DoTraverse<R, F>> {
  using Program = std::invoke_result_t<const F&, std::ranges::range_reference_t<R>>;
  using A = typename Program::ValueType;
  using Value = std::vector<Stored<A>>;

  /// What a function throws is the error of its element.
  struct Acquire {
    UnitContinuation<typename Program::Acquired> operator()(std::ranges::range_reference_t<R> element) const {
      try {
        return function(std::forward<std::ranges::range_reference_t<R>>(element)).acquire();
      } catch (...) {
        return Program::raiseError(std::current_exception()).acquire();
      }
    }
    F function;
  };
  using Gather = GatherTraverse<FailedTry, R, Acquire>;

 public:
  using ValueType = typename Do<Value>::Acquired;

  DoTraverse(R range, std::int64_t limit, F function, Location location)
      : gather_(std::move(range), limit, Acquire{std::move(function)}, location) {}

  void step(Run& run, const Node* owned) const {
    constexpr auto join = [](const void*, Run& r) {
      auto traversed = r.take<typename Gather::ValueType>();
      BranchesEnd end;
      for (auto& outcome : traversed.outcomes) end.add(outcome);
      if (!traversed.exhausted) return end.fail<Value>(r);
      end.join<Value>(r, [&] {
        Value values;
        values.reserve(traversed.outcomes.size());
        for (auto& outcome : traversed.outcomes) values.push_back(std::move(outcome.get().value.get()));
        return values;
      });
    };
    run.push({this, join, nullptr, owned});
    gather_.step(run, nullptr);
  }

 private:
  Gather gather_;
};

}  // namespace detail

/// As parTraverse of programs that cannot fail, with a function that returns a Do. If one fails, the others
/// are cancelled, no other is begun, and this fails with the errors, in the order of the range, after all
/// that was acquired has been released; if all succeed, the resources of all stay until the scope ends.
template <std::ranges::input_range R, class F>
  requires detail::isDo<std::invoke_result_t<const F&, std::ranges::range_reference_t<R>>>
[[nodiscard("a program does nothing until it is run")]] auto parTraverse(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  constexpr bool copies = detail::canBeCopied<R>;
  static_assert(copies,
                "tapestry::parTraverse: every run copies the range, expected one that can be copied (such as "
                "a view of it)");
  using Element = std::ranges::range_reference_t<R>;
  if constexpr (copies && !detail::ReturnsAnything<F, Element>) {
    using Traverse = detail::DoTraverse<R, F>;
    using A = typename std::invoke_result_t<const F&, std::ranges::range_reference_t<R>>::ValueType;
    using Value = std::vector<Stored<A>>;
    return Do<Value>(UnitContinuation<typename Do<Value>::Acquired>(detail::stopToError<Value>(Traverse(
        std::move(range), detail::checkedLimit("parTraverse", limit), std::move(function), location))));
  } else {
    return detail::AnyDo();  // the static_assert has said it all
  }
}

}  // namespace tapestry
