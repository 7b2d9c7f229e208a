// Defines RunScope, the program that runs a Do in a separate scope, and flattened and attempted, which make a
// value of the outcome of a Do.
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/unit_continuation_monad.hpp"
#include "tapestry/raii/error_as.hpp"
#include "tapestry/raii/resourcet/resource.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Acquires, releases, masked, and yields the value, to which errors of the release are added, as a Try<A> or
/// as a resource that needs no release. The same as ResourceT::run, in a single step; a request to stop is
/// seen before the release, as at a flatMap. P is the program that acquires, or a reference to it, which must
/// outlive this.
template <class A, class Result = Try<A>, class P = UnitContinuation<Resource<UnitContinuationMonad, Try<A>>>>
class [[nodiscard("a program does nothing until it is run")]] RunScope
    : public ProgramOperations<RunScope<A, Result, P>> {
  using Acquired = Resource<UnitContinuationMonad, Try<A>>;

 public:
  using ValueType = Result;

  explicit RunScope(P acquire) noexcept : acquire_(std::forward<P>(acquire)) {}

  void step(Run& run, Keeper keeper) const {
    run.push<release>(std::move(keeper));
    acquire_.step(run, {});
  }

 private:
  struct Held final : Node {
    explicit Held(Try<A> result) noexcept : value(std::move(result)) {}
    void released(Run& run) {
      value.absorb(run.take<Errors>());
      put(run, std::move(value));
    }
    Try<A> value;
  };

  static void put(Run& run, Try<A>&& value) {
    if constexpr (std::is_same_v<Result, Acquired>)
      run.put<Result>({std::move(value), {}});
    else
      run.put<Result>(std::move(value));
  }

  static void release(Run& run) {
    auto acquired = run.take<Acquired>();
    if (run.stopRequested()) return cancelHolding(run, std::move(acquired));
    auto releasing = acquired.takeRelease();
    if (releasing && releasing->node()->putAtOnce(run)) {
      acquired.value.absorb(run.take<Errors>());
      releasing.reset();
    }
    if (!releasing) return put(run, std::move(acquired.value));
    run.push<&Held::released>(makeRef<Held>(std::move(acquired.value)));
    enterMask(run);
    run.next(std::move(*releasing).node());
  }

  P acquire_;
};

template <class A>
Outcome<A> flattened(Outcome<Try<A>> outcome) {
  if (outcome.hasError()) return Outcome<A>::error(outcome.error());
  if (!outcome.hasValue()) return Outcome<A>::cancelled();
  Try<A>& result = outcome.get();
  if (!result.hasValue())
    return errorAs<Cancelled>(result.error()) ? Outcome<A>::cancelled() : Outcome<A>::error(result.error());
  try {
    return Outcome<A>::value(std::move(result.get()));
  } catch (...) {
    return Outcome<A>::error(std::current_exception());
  }
}

/// As the part's own release, for which UnitContinuationMonad::isReturn is true: if the whole is dropped, its
/// part goes back.
template <class Whole, class Part>
class ReturnedPart final : public ProgramNode {
 public:
  using PartOf = Part (*)(Whole& whole) noexcept;

  ReturnedPart(UnitContinuation<Errors> release, PartOf partOf) noexcept
      : release_(std::move(release)), partOf_(partOf) {}

  void step(Run& run, Keeper::Raw keeper) const override {
    run.keep(keeper);
    run.next(*release_.node());
  }
  bool takeBack(void* value, const void* type) const noexcept override {
    if (!value) return true;
    if (type != &valueKey<Whole>) return false;
    Part part = partOf_(*static_cast<Whole*>(value));
    return UnitContinuationMonad::takeBack(release_, part);
  }

 private:
  const UnitContinuation<Errors> release_;
  const PartOf partOf_;
};

/// The release of the whole, made from the release of its part.
template <class Whole, class Part>
UnitContinuation<Errors> returnedPart(UnitContinuation<Errors> release,
                                      typename ReturnedPart<Whole, Part>::PartOf partOf) {
  using Returned = ReturnedPart<Whole, Part>;
  return UnitContinuation<Errors>(makeRef<Returned, const ProgramNode>(std::move(release), partOf));
}

/// The same resource, of which the value or the error is the value. A value that goes back where it is
/// dropped, such as an item of a channel, still does.
template <class A>
Resource<UnitContinuationMonad, Try<Try<A>>> attempted(Resource<UnitContinuationMonad, Try<A>> acquired) {
  acquired.mapReturn([](UnitContinuation<Errors> release) {
    return returnedPart<Try<Try<A>>, Try<A>>(
        std::move(release), [](Try<Try<A>>& whole) noexcept { return std::move(whole.get()); });
  });
  return {Try<Try<A>>::success(std::move(acquired.value)), std::move(acquired.release)};
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
