// Defines Do, programs that may fail and that hold resources: TryT over ResourceT over UnitContinuation.
#pragma once

#include <string>
#include <utility>

#include "tapestry/raii/detail/made_do.hpp"
#include "tapestry/raii/detail/run_scope.hpp"
#include "tapestry/raii/do_constructors.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class Handle;
template <class A>
class Do;

namespace detail {
template <class A>
class SharedUse;
}  // namespace detail

/// A lazy, immutable description of an asynchronous computation that yields one A, which may be void, or
/// fails, and that may hold resources until its scope ends. Copied in O(1), usable from several threads at
/// once; each run performs its effects afresh. An exception thrown by a function given to a Do becomes the
/// error of that step. DoConstructors has the functions that make a Do.
///
/// The scope is the run, or a `run()` within it: at its end resources are released in the reverse order of
/// their acquisition, whatever the outcome, before the outcome is delivered. Errors of releases are part of
/// the outcome.
template <class A>
class [[nodiscard("a program does nothing until it is run")]] Do : public DoConstructors<A> {
 public:
  using ValueType = A;
  using typename DoConstructors<A>::Monad;
  using typename DoConstructors<A>::Acquired;

  explicit Do(typename Monad::template Type<A> program) noexcept : program_(std::move(program)) {}
  explicit Do(UnitContinuation<Acquired> acquire) noexcept
      : Do(typename Monad::template Type<A>(typename Monad::template Type<A>::Wrapped(std::move(acquire)))) {}
  /// Erases a program that yields the value, or the error, with its release.
  template <detail::ProgramOf<Acquired> P>
  explicit Do(P acquire) : Do(UnitContinuation<Acquired>(std::move(acquire))) {}

  /// Applies a function to the value ("then").
  template <class F>
    requires detail::accepts<F, A>
  [[nodiscard("a program does nothing until it is run")]] auto map(
      F function, detail::Location location = detail::Location::current()) && {
    return Do<detail::ResultOf<F, A>>(
        Monad::mapMade(std::move(program_), detail::Moving<F>{function}, location));
  }
  template <class F>
    requires detail::accepts<F, A>
  [[nodiscard("a program does nothing until it is run")]] auto map(
      F function, detail::Location location = detail::Location::current()) const& {
    return Do(*this).map(std::move(function), location);
  }
  void map(...) const = delete;  // expected a function f(value), const, not mutable

  /// Continues with the Do that the function returns for the value ("let_value"). A returned program that
  /// cannot fail, such as a UnitContinuation, is lifted to a Do. The resources of both Dos stay until the
  /// scope ends; the later resources are released first.
  template <class F>
    requires detail::isMadeDo<F, A>
  [[nodiscard("a program does nothing until it is run")]] auto flatMap(
      F function, detail::Location location = detail::Location::current()) && {
    return detail::MadeDo<F, A>(Monad::flatMapMade(
        std::move(program_), [&] { return detail::makingDo<A>(function); }, location));
  }
  template <class F>
    requires detail::isMadeDo<F, A>
  [[nodiscard("a program does nothing until it is run")]] auto flatMap(
      F function, detail::Location location = detail::Location::current()) const& {
    return Do(*this).flatMap(std::move(function), location);
  }
  template <class F>
    requires(detail::madeOf<F, A> == detail::Made::layer)
  void flatMap(F) const = delete;  // expected a Do, forward(layer) of a layer
  // What the program yields is either the value or its error, or a Try as a value: Do<Try<A>>::lift(program).
  template <class F>
    requires(detail::madeOf<F, A> == detail::Made::either)
  void flatMap(F) const = delete;    // expected Do<A>::garbageCollected(program of Try<A>)
  void flatMap(...) const = delete;  // expected f(value), const, that returns a Do; use map for plain values

  /// As flatMap, but releases the resources of this Do as soon as the Do that the function returns has its
  /// result or has failed; the resources of the returned Do stay. Errors of the release fail the result.
  template <class F>
    requires detail::isMadeDo<F, A>
  [[nodiscard("a program does nothing until it is run")]] auto intransitiveFlatMap(
      F function, detail::Location location = detail::Location::current()) const {
    return detail::MadeDo<F, A>(
        Monad::intransitiveFlatMap(program_, detail::makingDo<A>(function), location));
  }
  template <class F>
    requires(detail::madeOf<F, A> == detail::Made::layer)
  void intransitiveFlatMap(F) const = delete;  // expected a Do, forward(layer) of a layer
  // What the program yields is either the value or its error, or a Try as a value: Do<Try<A>>::lift(program).
  template <class F>
    requires(detail::madeOf<F, A> == detail::Made::either)
  void intransitiveFlatMap(F) const = delete;    // expected Do<A>::garbageCollected(program of Try<A>)
  void intransitiveFlatMap(...) const = delete;  // expected f(value), const, a Do; intransitiveMap for values

  /// As map, but releases the resources of this Do as soon as the function has returned or thrown.
  template <class F>
    requires detail::accepts<F, A>
  [[nodiscard("a program does nothing until it is run")]] auto intransitiveMap(
      F function, detail::Location location = detail::Location::current()) const {
    return map(std::move(function), location).run();
  }
  void intransitiveMap(...) const = delete;  // expected a function f(value), const, not mutable

  /// If this Do fails, continues with handler(exception_ptr), a Do<A>. Cancellation is not an error: the
  /// handler is not called if a function throws Cancelled, even if other errors, such as those of a release,
  /// have been added to it.
  template <class F>
    requires std::is_invocable_r_v<Do, const F&, std::exception_ptr>
  [[nodiscard("a program does nothing until it is run")]] Do handleError(
      F handler, detail::Location location = detail::Location::current()) && {
    return Do(Monad::handleError(
        std::move(program_),
        [handler = std::move(handler)](const std::exception_ptr& error) -> Do {
          if (detail::isCancellation(error)) return Do::raiseError(error);
          return handler(error);
        },
        location));
  }
  template <class F>
    requires std::is_invocable_r_v<Do, const F&, std::exception_ptr>
  [[nodiscard("a program does nothing until it is run")]] Do handleError(
      F handler, detail::Location location = detail::Location::current()) const& {
    return Do(*this).handleError(std::move(handler), location);
  }
  void handleError(...) const = delete;  // expected a handler Do<A>(std::exception_ptr), const, not mutable

  /// Yields the value or the error as a Try, and does not fail. A request to stop is not yielded, but a
  /// Cancelled that a function has thrown is.
  [[nodiscard("a program does nothing until it is run")]] Do<Try<A>> attempt() const {
    return Do<Try<A>>(acquire().map(detail::attempted<A>));
  }

  /// Names this Do: dumpRuns (tapestry/continuation/named.hpp) lists its runs, and the releases of its
  /// resources, under the name.
  [[nodiscard("a program does nothing until it is run")]] Do named(
      std::string name, detail::Location location = detail::Location::current()) const {
    detail::EnterName enter{detail::makeRef<const detail::ProgramName>(std::move(name), location)};
    detail::Within named(acquire(), enter);
    return Do(std::move(named).map([enter = std::move(enter)](Acquired acquired) {
      extend::notePlace(acquired.value.error(), "named", enter.name->location, enter.name->name);
      acquired.mapRest([&](UnitContinuation<Errors> release) {
        return UnitContinuation<Errors>(detail::Within(std::move(release), enter));
      });
      return acquired;
    }));
  }

  /// Yields one instance for all concurrent users: acquired for the first user, released after the last. For
  /// a scoped value this yields a handle to its handle.
  [[nodiscard("a program does nothing until it is run")]] Do<Handle<A>> shared(
      detail::Location location = detail::Location::current()) const {
    return Do<Handle<A>>(detail::SharedUse<A>(acquire(), location));
  }

  /// A scope: yields the value after all resources that were acquired for it have been released.
  [[nodiscard("a program does nothing until it is run")]] Do run() const {
    return Do(detail::RunScope<A, Acquired>(acquire()));
  }

  /// The value or the error, with its release, which the caller has to run.
  const UnitContinuation<Acquired>& acquire() const& noexcept { return program_.unwrap().acquire(); }
  UnitContinuation<Acquired> acquire() && noexcept { return std::move(program_).unwrap().acquire(); }

  /// Starts a run, and passes its Outcome to the callback after all releases.
  template <class F>
    requires std::is_invocable_v<F&, Outcome<A>>
  void onComplete(F callback, const StopToken& stop = {},
                  detail::Location location = detail::Location::current()) const {
    runToTry().onComplete(flattening(std::move(callback), location), stop, location);
  }
  /// As above, with all work of the run on the executor, which also executes its parallel branches.
  template <class F>
    requires std::is_invocable_v<F&, Outcome<A>>
  void onComplete(F callback, Executor& executor, const StopToken& stop = {},
                  detail::Location location = detail::Location::current()) const {
    runToTry().onComplete(flattening(std::move(callback), location), executor, stop, location);
  }
  void onComplete(...) const = delete;  // expected a callback f(Outcome<A>), then Executor, StopToken or both

  /// Runs this Do on the calling thread, and after all releases returns the value, or throws the error or
  /// Cancelled. Throws std::logic_error in a task of a pool, which must not block.
  A blockingAwait(const StopToken& stop = {}, detail::Location location = detail::Location::current()) const {
    return awaited(location, stop);
  }
  /// As above, with parallel branches offered to the workers.
  A blockingAwait(Executor& workers, const StopToken& stop = {},
                  detail::Location location = detail::Location::current()) const {
    return awaited(location, workers, stop);
  }

  // Repeats the [[nodiscard]] of Try, so that compilers need not show the class.
  [[nodiscard("a Try may hold an error")]] A blockingAwait(
      const StopToken& stop = {}, detail::Location location = detail::Location::current()) const
    requires detail::isTry<A>
  {
    return awaited(location, stop);
  }
  [[nodiscard("a Try may hold an error")]] A blockingAwait(
      Executor& workers, const StopToken& stop = {},
      detail::Location location = detail::Location::current()) const
    requires detail::isTry<A>
  {
    return awaited(location, workers, stop);
  }

  // For a time limit use timeout(program, duration).
  template <class = void>
  void blockingAwait(detail::AnyArgument, ...) const = delete;  // expected nothing, Executor, StopToken, both

  /// The wrapped program, as transformers see it.
  const auto& unwrap() const& noexcept { return program_.unwrap(); }
  auto unwrap() && noexcept { return std::move(program_).unwrap(); }

 private:
  auto runToTry() const { return detail::RunScope<A>(acquire()); }
  A awaited(const detail::Location& location, auto&... where) const {
    Try<A> result = runHere().blockingAwait(where..., location);
    extend::notePlace(result.error(), "blockingAwait", location);
    return std::move(result).valueOrThrow();
  }
  /// As runToTry, but refers to this Do, which must outlive it.
  auto runHere() const { return detail::RunScope<A, Try<A>, const UnitContinuation<Acquired>&>(acquire()); }

  template <class F>
  static auto flattening(F callback, const detail::Location& location) {
    return [callback = std::move(callback), location](Outcome<Try<A>> outcome) mutable {
      Outcome<A> result = detail::flattened(std::move(outcome));
      extend::notePlace(result.error(), "onComplete", location);
      callback(std::move(result));
    };
  }

  typename Monad::template Type<A> program_;
};

}  // namespace tapestry
#pragma GCC visibility pop

#include "tapestry/raii/detail/shared_instance.hpp"
