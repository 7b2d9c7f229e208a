// Defines ReturnedPart, the release of a value made from a part that goes back to its source if it is
// dropped, and attempted, which makes a value of the outcome of a Do.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/unit_continuation_monad.hpp"
#include "tapestry/raii/resourcet/resource.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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
  return UnitContinuation<Errors>(
      Ref<const ProgramNode>(makeRef<const Returned>(std::move(release), partOf)));
}

/// The same resource, of which the value or the error is the value. A value that goes back where it is
/// dropped, such as an item of a channel, still does.
template <class A>
Resource<UnitContinuationMonad, Try<Try<A>>> attempted(Resource<UnitContinuationMonad, Try<A>> acquired) {
  Release<UnitContinuationMonad> release = std::move(acquired.release);
  if (release && UnitContinuationMonad::isReturn(*release))
    release = returnedPart<Try<Try<A>>, Try<A>>(
        *std::move(release), [](Try<Try<A>>& whole) noexcept { return std::move(whole.get()); });
  return {Try<Try<A>>::success(std::move(acquired.value)), std::move(release)};
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
