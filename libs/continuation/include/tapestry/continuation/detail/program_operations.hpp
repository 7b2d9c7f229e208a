// Defines ProgramOperations, the operations that every program has as members.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/engine/launch.hpp"
#include "tapestry/continuation/detail/engine/named_scope.hpp"
#include "tapestry/continuation/detail/engine/program.hpp"
#include "tapestry/continuation/detail/misfit.hpp"

namespace tapestry {

template <class A>
class UnitContinuation;

namespace detail {

template <class Source, class F>
class Map;
template <class Source, class F>
class FlatMap;
template <class P>
class Named;

template <class F, class A>
concept ReturnsProgram = Program<ResultOf<F, A>>;
/// An error in the function has been told.
template <class F, class A>
concept ReturnsAnything = std::is_same_v<typename ResultOf<F, A>::ValueType, Anything>;

template <class Derived>
class ProgramOperations {
 public:
  /// Applies a function to the value ("then"). The function must not throw.
  template <class F>
  [[nodiscard("a program does nothing until it is run")]] auto map(
      F function, Location location = Location::current()) && {
    constexpr bool accepted = accepts<F, typename Derived::ValueType>;
    static_assert(accepted,
                  "tapestry::map: the function does not accept the program's value, expected f(value), "
                  "const, not mutable");
    if constexpr (accepted)
      return Map<Derived, F>(std::move(self()), std::move(function), location);
    else
      return AnyProgram();  // the static_assert has said it all
  }
  template <class F>
  [[nodiscard("a program does nothing until it is run")]] auto map(
      F function, Location location = Location::current()) const& {
    // said once more, since a message from within the other would be longer
    constexpr bool accepted = accepts<F, typename Derived::ValueType>;
    static_assert(accepted,
                  "tapestry::map: the function does not accept the program's value, expected f(value), "
                  "const, not mutable");
    if constexpr (accepted)
      return copy().map(std::move(function), location);
    else
      return AnyProgram();
  }

  /// Goes on with the program that the function makes of the value ("let_value"). The function must not
  /// throw. A request to stop is seen here, before the function is called.
  template <class F>
  [[nodiscard("a program does nothing until it is run")]] auto flatMap(
      F function, Location location = Location::current()) && {
    using A = typename Derived::ValueType;
    constexpr bool accepted = accepts<F, A>;
    static_assert(accepted,
                  "tapestry::flatMap: the function does not accept the program's value, expected f(value), "
                  "const, not mutable");
    constexpr bool returnsProgram = !accepted || ReturnsProgram<F, A>;
    static_assert(returnsProgram,
                  "tapestry::flatMap: the function does not return a program, use map for plain values");
    if constexpr (accepted && returnsProgram && !ReturnsAnything<F, A>)
      return FlatMap<Derived, F>(std::move(self()), std::move(function), location);
    else
      return AnyProgram();
  }
  template <class F>
  [[nodiscard("a program does nothing until it is run")]] auto flatMap(
      F function, Location location = Location::current()) const& {
    using A = typename Derived::ValueType;
    constexpr bool accepted = accepts<F, A>;
    static_assert(accepted,
                  "tapestry::flatMap: the function does not accept the program's value, expected f(value), "
                  "const, not mutable");
    constexpr bool returnsProgram = !accepted || ReturnsProgram<F, A>;
    static_assert(returnsProgram,
                  "tapestry::flatMap: the function does not return a program, use map for plain values");
    if constexpr (accepted && returnsProgram && !ReturnsAnything<F, A>)
      return copy().flatMap(std::move(function), location);
    else
      return AnyProgram();
  }

  /// Gives the program a name, by which dumpRuns (tapestry/continuation/named.hpp) lists its runs.
  [[nodiscard("a program does nothing until it is run")]] auto named(
      std::string name, Location location = Location::current()) && {
    return Named<Derived>(std::move(self()), makeRef<const ProgramName>(std::move(name), location));
  }
  [[nodiscard("a program does nothing until it is run")]] auto named(
      std::string name, Location location = Location::current()) const& {
    return copy().named(std::move(name), location);
  }

  /// Runs the program on the calling thread until it suspends, and gives its Outcome to the callback, which
  /// must not throw, on the thread where the run ends. Called within a run, it starts the new run as soon as
  /// that one suspends or ends.
  template <class F>
  void onComplete(F callback, const StopToken& stop = {}, Location location = Location::current()) && {
    constexpr bool accepted = receives<F>;
    static_assert(accepted,
                  "tapestry::onComplete: the callback does not accept the outcome, expected f(Outcome<A>)");
    if constexpr (accepted)
      launch(std::move(self()), std::move(callback), Executor::inlined(), nullptr, stop, location);
  }
  template <class F>
  void onComplete(F callback, const StopToken& stop = {}, Location location = Location::current()) const& {
    constexpr bool accepted = receives<F>;
    static_assert(accepted,
                  "tapestry::onComplete: the callback does not accept the outcome, expected f(Outcome<A>)");
    if constexpr (accepted) copy().onComplete(std::move(callback), stop, location);
  }
  /// As above, with all of the run's work on the executor, which also takes its parallel branches.
  template <class F>
  void onComplete(F callback, Executor& executor, const StopToken& stop = {},
                  Location location = Location::current()) && {
    constexpr bool accepted = receives<F>;
    static_assert(accepted,
                  "tapestry::onComplete: the callback does not accept the outcome, expected f(Outcome<A>)");
    if constexpr (accepted)
      launch(std::move(self()), std::move(callback), executor, &executor, stop, location);
  }
  template <class F>
  void onComplete(F callback, Executor& executor, const StopToken& stop = {},
                  Location location = Location::current()) const& {
    constexpr bool accepted = receives<F>;
    static_assert(accepted,
                  "tapestry::onComplete: the callback does not accept the outcome, expected f(Outcome<A>)");
    if constexpr (accepted) copy().onComplete(std::move(callback), executor, stop, location);
  }

  /// Runs the program and waits for its value; the run's work is done on the calling thread. Throws
  /// Cancelled, BrokenCallback or ExecutorStopped if the run was stopped, std::logic_error in a task of a
  /// ThreadPool or of an AsioExecutor, which others may wait for.
  auto blockingAwait(const StopToken& stop = {}) const { return awaitBlocking(self(), nullptr, stop); }
  /// As above, with parallel branches offered to the workers. What a worker has begun goes on on any of them,
  /// or, after a wait for a value that others wait for too, on the calling thread.
  auto blockingAwait(Executor& workers, const StopToken& stop = {}) const {
    return awaitBlocking(self(), &workers, stop);
  }
  template <class T = void>
  Anything blockingAwait(Misfit, Misfit = {}) const {
    static_assert(fits<T>,
                  "tapestry::blockingAwait: expected nothing, an Executor, a StopToken, or both; a limit of "
                  "time is timeout(program, duration)");
    return {};
  }

 private:
  template <class F>
  static constexpr bool receives = std::is_invocable_v<F&, Outcome<typename Derived::ValueType>>;

  template <class F>
  static void launch(Derived program, F callback, Executor& executor, Executor* workers,
                     const StopToken& stop, const Location& location) {
    using A = typename Derived::ValueType;
    detail::launch<A>(UnitContinuation<A>(std::move(program)).node(), std::move(callback), executor, workers,
                      stop, location);
  }

  auto copy() const {
    constexpr bool copies = std::is_copy_constructible_v<Derived>;
    static_assert(copies,
                  "tapestry: got a program that cannot be copied, for what it captures; move it, or keep it "
                  "as a UnitContinuation, which can");
    if constexpr (copies)
      return Derived(self());
    else
      return AnyProgram();
  }
  Derived& self() noexcept { return static_cast<Derived&>(*this); }
  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

}  // namespace detail
}  // namespace tapestry
