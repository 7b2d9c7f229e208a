// Defines ProgramOperations, the member functions of all programs.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/engine/launch.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
class UnitContinuation;

namespace detail {

template <class Source, class F, class Where = Location>
class Map;
template <class Source, class F, class Where = Location>
class FlatMap;
template <class P, class Enter>
class Within;

/// Whether f(A) is a program.
template <class F, class A>
concept MakesProgram = Accepts<F, A> && Program<ResultOf<F, A>>;
// One value, so that compilers report in one line that it is false.
template <class F, class A>
inline constexpr bool makesProgram = MakesProgram<F, A>;

template <class Derived>
class ProgramOperations {
  template <class F>
  static constexpr bool receives = std::is_invocable_v<F&, Outcome<typename Derived::ValueType>>;

 public:
  /// Applies a function to the value ("then"). The function must not throw.
  template <class F>
    requires accepts<F, typename Derived::ValueType>
  [[nodiscard("a program does nothing until it is run")]] auto map(
      F function, Location location = Location::current()) && {
    return Map<Derived, F>(std::move(self()), std::move(function), location);
  }
  template <class F>
    requires accepts<F, typename Derived::ValueType> && std::copy_constructible<Derived>
  [[nodiscard("a program does nothing until it is run")]] auto map(
      F function, Location location = Location::current()) const& {
    return copy().map(std::move(function), location);
  }
  template <class F>
    requires accepts<F, typename Derived::ValueType> && (!std::copy_constructible<Derived>)
  void map(F) const& = delete;   // expected std::move(program), for its captures cannot be copied
  void map(...) const = delete;  // expected a function f(value), const, not mutable

  /// Continues with the program that the function makes of the value ("let_value"). The function must not
  /// throw. A request to stop is seen here, before the function is called.
  template <class F>
    requires makesProgram<F, typename Derived::ValueType>
  [[nodiscard("a program does nothing until it is run")]] auto flatMap(
      F function, Location location = Location::current()) && {
    return FlatMap<Derived, F>(std::move(self()), std::move(function), location);
  }
  template <class F>
    requires makesProgram<F, typename Derived::ValueType> && std::copy_constructible<Derived>
  [[nodiscard("a program does nothing until it is run")]] auto flatMap(
      F function, Location location = Location::current()) const& {
    return copy().flatMap(std::move(function), location);
  }
  template <class F>
    requires makesProgram<F, typename Derived::ValueType> && (!std::copy_constructible<Derived>)
  void flatMap(F) const& = delete;   // expected std::move(program), for its captures cannot be copied
  void flatMap(...) const = delete;  // expected f(value), const, that returns a program; use map for values

  /// Gives the program a name, under which dumpRuns (tapestry/continuation/named.hpp) lists its runs.
  [[nodiscard("a program does nothing until it is run")]] auto named(
      std::string name, Location location = Location::current()) && {
    return Within<Derived, EnterName>(std::move(self()),
                                      {makeRef<const ProgramName>(std::move(name), location)});
  }
  [[nodiscard("a program does nothing until it is run")]] auto named(
      std::string name, Location location = Location::current()) const&
    requires std::copy_constructible<Derived>
  {
    return copy().named(std::move(name), location);
  }
  void named(std::string) const&  // expected std::move(program), for its captures cannot be copied
    requires(!std::copy_constructible<Derived>)
  = delete;

  /// Runs the program on the calling thread until it suspends, and gives its Outcome to the callback, which
  /// must not throw, on the thread where the run ends. If called within a run, starts the new run as soon as
  /// that run suspends or ends.
  template <class F>
    requires receives<F>
  void onComplete(F callback, const StopToken& stop = {}, Location location = Location::current()) && {
    launch(std::move(self()), std::move(callback), Executor::inlined(), nullptr, stop, location);
  }
  template <class F>
    requires receives<F> && std::copy_constructible<Derived>
  void onComplete(F callback, const StopToken& stop = {}, Location location = Location::current()) const& {
    copy().onComplete(std::move(callback), stop, location);
  }
  /// As above, but all of the run's work, including its parallel branches, is done on the executor.
  template <class F>
    requires receives<F>
  void onComplete(F callback, Executor& executor, const StopToken& stop = {},
                  Location location = Location::current()) && {
    launch(std::move(self()), std::move(callback), executor, &executor, stop, location);
  }
  template <class F>
    requires receives<F> && std::copy_constructible<Derived>
  void onComplete(F callback, Executor& executor, const StopToken& stop = {},
                  Location location = Location::current()) const& {
    copy().onComplete(std::move(callback), executor, stop, location);
  }
  template <class F>
    requires receives<F> && (!std::copy_constructible<Derived>)
  void onComplete(F, ...) const& = delete;  // expected std::move(program): it cannot be copied
  void onComplete(...) const = delete;  // expected a callback f(Outcome<A>), then Executor, StopToken or both

  /// Runs the program and waits for its value; the run's work is done on the calling thread. Throws
  /// Cancelled, BrokenCallback or ExecutorStopped if the run was stopped. Throws std::logic_error where other
  /// runs need the thread: in a task of a ThreadPool or of an AsioExecutor, or in a run that a clock or an
  /// operation of Asio has resumed on its own thread.
  auto blockingAwait(const StopToken& stop = {}, Location location = Location::current()) const {
    return detail::awaitBlocking(self(), nullptr, stop, location);
  }
  /// As above, with parallel branches offered to the workers. Work that a worker has begun continues on any
  /// worker or, after a wait for a value for which other runs wait too, on the calling thread.
  auto blockingAwait(Executor& workers, const StopToken& stop = {},
                     Location location = Location::current()) const {
    return detail::awaitBlocking(self(), &workers, stop, location);
  }
  // For a time limit use timeout(program, duration).
  template <class = void>
  void blockingAwait(AnyArgument, ...) const = delete;  // expected nothing, an Executor, a StopToken, or both

 private:
  template <class F>
  static void launch(Derived program, F callback, Executor& executor, Executor* workers,
                     const StopToken& stop, const Location& location) {
    using A = typename Derived::ValueType;
    detail::launch<A>(UnitContinuation<A>(std::move(program)).node(), std::move(callback), executor, workers,
                      stop, location);
  }

  Derived copy() const { return self(); }
  Derived& self() noexcept { return static_cast<Derived&>(*this); }
  const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

}  // namespace detail
}  // namespace tapestry
#pragma GCC visibility pop
