// Defines stopToError and stopToErrors, which turn a run's stop with errors into a failed Try, or into
// Errors.
#pragma once

#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/unit_continuation_monad.hpp"
#include "tapestry/raii/resourcet/resource.hpp"
#include "tapestry/raii/tryt/try.hpp"

namespace tapestry::detail {

/// The program yields a Try<A>, or a Resource of one; this yields the same as a Resource. A stop that was
/// asked for goes on.
template <class A, class P>
class [[nodiscard("a program does nothing until it is run")]] StopToError
    : public ProgramOperations<StopToError<A, P>> {
 public:
  using ValueType = Resource<UnitContinuationMonad, Try<A>>;

  explicit StopToError(P program) : program_(std::move(program)) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto wrap = [](Run& r) {
      if constexpr (std::same_as<typename P::ValueType, Try<A>>) r.put(ValueType{r.take<Try<A>>(), {}});
    };
    constexpr auto convert = [](Run& r) {
      if (r.stopErrors().empty() || r.stopRequested()) return;
      r.put(ValueType{Try<A>::failure(r.takeStop().toException()), {}});
    };
    run.push<wrap, convert>(std::move(keeper));
    program_.step(run, {});
  }

 private:
  P program_;
};

template <class A, class P>
auto stopToError(P program) {
  return StopToError<A, P>(std::move(program));
}

/// The program is a release, which yields Errors; so does this where the release is stopped, for others come
/// after it. Nobody can ask a release to stop: where it is stopped without errors, that is the error
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
