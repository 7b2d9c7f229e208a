// Defines UnlessStopped, a program that is not begun in a run that has been asked to stop, and stopToError
// and stopToErrors, which turn a run's stop with errors into a failed Try, or into Errors.
#pragma once

#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/unit_continuation_monad.hpp"
#include "tapestry/raii/resourcet/resource.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// For a program whose value must not be dropped, or that runs under a mask, where leaves do not check for
/// requests: once begun, it runs to its end.
template <class P>
class [[nodiscard("a program does nothing until it is run")]] UnlessStopped
    : public ProgramOperations<UnlessStopped<P>> {
 public:
  using ValueType = typename P::ValueType;

  explicit UnlessStopped(P program) : program_(std::move(program)) {}

  void step(Run& run, Keeper keeper) const {
    if (!run.stopIfRequested()) program_.step(run, std::move(keeper));
  }

 private:
  P program_;
};

/// For a program whose errors need no note of a place.
struct NoPlace {
  void operator()(const std::exception_ptr&) const noexcept {}
};

/// Runs a program that yields a Try<A>, or a Resource of it, and yields the same as a Resource, with a
/// failure in place of a stop with errors. A stop that was asked for continues. The place, an extend::At, is
/// noted in the errors.
template <class A, class P, class Place = NoPlace>
class [[nodiscard("a program does nothing until it is run")]] StopToError
    : public ProgramOperations<StopToError<A, P, Place>> {
 public:
  using ValueType = Resource<UnitContinuationMonad, Try<A>>;

  explicit StopToError(P program, Place place = {}) : program_(std::move(program)), place_(place) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto wrap = [](const StopToError& self, Run& r) {
      if constexpr (std::same_as<typename P::ValueType, Try<A>>) r.put(ValueType{r.take<Try<A>>(), {}});
      if constexpr (!std::same_as<Place, NoPlace>) self.place_(r.look<ValueType>().value.error());
    };
    constexpr auto convert = [](const StopToError& self, Run& r) {
      if (r.stopErrors().empty() || r.stopRequested()) return;
      const std::exception_ptr error = r.takeStop().toException();
      self.place_(error);
      r.put(ValueType{Try<A>::failure(error), {}});
    };
    run.push<wrap, convert>(this, std::move(keeper));
    program_.step(run, {});
  }

 private:
  P program_;
  [[no_unique_address]] Place place_;
};

template <class A, class P, class... Place>
auto stopToError(P program, Place... place) {
  return StopToError<A, P, Place...>(std::move(program), place...);
}

/// Runs a release, which yields Errors, and yields Errors even if the release is stopped, because other
/// releases come after it. No request can stop a release: if it is stopped without errors, that is the error
/// `Cancelling()`, or no error if that type is void.
template <class P, class Cancelling>
class [[nodiscard("a program does nothing until it is run")]] StopToErrors
    : public ProgramOperations<StopToErrors<P, Cancelling>> {
 public:
  using ValueType = Errors;

  explicit StopToErrors(P program) : program_(std::move(program)) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto convert = [](Run& r) {
      Errors errors = r.takeStop();
      if constexpr (!std::is_void_v<Cancelling>)
        if (errors.empty()) errors.append(std::make_exception_ptr(Cancelling()));
      r.put(std::move(errors));
    };
    run.push<nullptr, convert>(std::move(keeper));
    program_.step(run, {});
  }

 private:
  P program_;
};

template <class Cancelling = void, class P>
auto stopToErrors(P program) {
  return StopToErrors<P, Cancelling>(std::move(program));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
