// Defines DoConstructors, the ways in which a Do is made: now, delay, suspend, raiseError, async, lift,
// garbageCollected, nested and execute.
#pragma once

#include <concepts>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/resourcet/resource_t.hpp"
#include "tapestry/raii/tryt/try_t.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class Do;

/// The static functions of Do<A> (tapestry/raii/do.hpp). `scoped`, `resource` and `cancellableResource` make
/// a Do of a resource.
template <class A>
class DoConstructors {
 public:
  using Monad = TryT<ResourceT<UnitContinuationMonad>>;
  using Acquired = Resource<UnitContinuationMonad, Try<A>>;

  /// Yields a copy of the value in every run.
  [[nodiscard("a program does nothing until it is run")]] static Do<A> now(Stored<A> value)
    requires std::copy_constructible<A>
  {
    return delay([value = std::move(value)] { return value; });
  }
  [[nodiscard("a program does nothing until it is run")]] static Do<A> now()
    requires std::is_void_v<A>
  {
    return delay([] {});
  }
  static void now(...)  // expected an A to copy; delay makes a move-only value afresh
    requires(!std::is_void_v<A>)
  = delete;

  /// Calls the function in every run, and yields its result, or fails with the exception that it throws.
  template <class F>
    requires std::is_invocable_r_v<A, const F&>
  [[nodiscard("a program does nothing until it is run")]] static Do<A> delay(
      F function, detail::Location location = detail::Location::current()) {
    return leaf([function = std::move(function), location] {
      return Acquired{Try<A>::of(function, {"delay", location}), {}};
    });
  }
  static void delay(...) = delete;  // expected a function A() without arguments, const, not mutable

  /// Calls the function in every run, and continues with the Do<A> that it returns.
  template <class F>
    requires std::is_invocable_r_v<Do<A>, const F&>
  [[nodiscard("a program does nothing until it is run")]] static Do<A> suspend(
      F function, detail::Location location = detail::Location::current()) {
    return Do<A>(Monad::flatMap(
        Monad::now(Unit{}), [function = std::move(function)](Unit) -> Do<A> { return function(); },
        location));
  }
  static void suspend(...) = delete;  // expected a function Do<A>() without arguments, const, not mutable

  /// Fails with the same exception object in every run: its trace holds the places of all runs. Fails also in
  /// a run that was asked to stop, so that no error is lost that is raised again.
  [[nodiscard("a program does nothing until it is run")]] static Do<A> raiseError(
      std::exception_ptr error, detail::Location location = detail::Location::current()) {
    return Do<A>(Monad::template raiseError<A>(std::move(error), location));
  }
  /// Fails with a copy of the exception, or with a std::runtime_error of the text. A null text is empty.
  template <std::copy_constructible E>
    requires(!std::convertible_to<E, std::exception_ptr>)
  [[nodiscard("a program does nothing until it is run")]] static Do<A> raiseError(
      E error, detail::Location location = detail::Location::current()) {
    if constexpr (std::same_as<E, const char*> || std::same_as<E, char*>)
      return raiseError(std::runtime_error(error ? error : ""), location);
    else if constexpr (std::convertible_to<const E&, std::string_view> &&
                       !std::derived_from<E, std::exception>)
      return raiseError(std::runtime_error(std::string(std::string_view(error))), location);
    else
      return leaf([error = std::move(error), location] {
        auto copied = std::make_exception_ptr<const E&>(error);  // a parameter of type E would be copied too
        return Acquired{Try<A>::failure(extend::At{"raiseError", location}(std::move(copied))), {}};
      });
  }

  /// Calls registration(Callback<Try<A>>) in every run, and waits until the callback is called. Fails with
  /// the exception that the registration throws, and with BrokenCallback if the last copy of the callback is
  /// destroyed uncalled.
  template <class F>
    requires std::invocable<const F&, const Callback<Try<A>>&>
  [[nodiscard("a program does nothing until it is run")]] static Do<A> async(
      F registration, detail::Location location = detail::Location::current()) {
    auto reporting = [registration = std::move(registration)](const Callback<Try<A>>& callback) {
      try {
        registration(callback);
      } catch (...) {
        callback(Try<A>::failure(std::current_exception()));
      }
    };
    return holdingNothing(tapestry::async<Try<A>>(std::move(reporting), location),
                          extend::At{"async", location});
  }
  static void async(...) = delete;  // expected a registration f(Callback<Try<A>>), const, not mutable

  /// A program that cannot fail, as a Do; if the program is stopped with an error, such as BrokenCallback,
  /// the Do fails with it.
  [[nodiscard("a program does nothing until it is run")]] static Do<A> lift(UnitContinuation<A> program) {
    return holdingNothing(std::move(program).map(
        [](auto&&... value) { return Try<A>::success(Stored<A>(std::forward<decltype(value)>(value)...)); }));
  }

  /// A Do whose value needs no release (the original leaves it to the garbage collector): as lift, or, for a
  /// program of a Try, yields the value or fails with the error in the Try.
  [[nodiscard("a program does nothing until it is run")]] static Do<A> garbageCollected(
      UnitContinuation<A> program) {
    return lift(std::move(program));
  }
  [[nodiscard("a program does nothing until it is run")]] static Do<A> garbageCollected(
      UnitContinuation<Try<A>> program) {
    return holdingNothing(std::move(program));
  }

  /// An inner scope: yields the program's value after all resources that were acquired for it have been
  /// released. As in the original, it is garbageCollected of the program's run; the same as `program.run()`.
  [[nodiscard("a program does nothing until it is run")]] static Do<A> nested(const Do<A>& program) {
    return program.run();
  }

  /// Moves the run permanently to the executor, and calls the function there.
  template <class F>
    requires std::is_invocable_r_v<A, const F&>
  [[nodiscard("a program does nothing until it is run")]] static Do<A> execute(
      Executor& executor, F function, detail::Location location = detail::Location::current()) {
    return holdingNothing(
        shift(executor, location).map([function = std::move(function)] { return Try<A>::of(function); }),
        extend::At{"execute", location});
  }
  static void execute(...) = delete;  // expected an Executor and a function A(), const, not mutable

 private:
  /// Calls the function, which must not throw, in every run that has not been asked to stop.
  template <class F>
  static Do<A> leaf(F acquire) {
    using Acquire = detail::Delay<F, detail::Nowhere>;
    return Do<A>(detail::UnlessStopped(Acquire(std::move(acquire), {})));
  }

  /// A Do of a program of Try<A>; adds the place, an extend::At if there is one, to the traces of its errors.
  static Do<A> holdingNothing(auto program, auto... place) {
    return Do<A>(detail::stopToError<A>(std::move(program), place...));
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
