// Defines Monadic, Fibers and Coroutines, the styles in which programs are written: the same programs in
// each.
#pragma once

#include <tuple>
#include <utility>

#include "support/programs/counted.hpp"
#include "support/programs/manual.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/stop.hpp"

namespace tapestry::test {

using Ints = UnitContinuation<int>;

struct AtExit {
  explicit AtExit(int& counter) noexcept : count(counter) {}
  AtExit(const AtExit&) = delete;
  ~AtExit() { ++count; }
  int& count;
};

struct Monadic {
  /// Yields ++calls.
  static Ints count(int& calls) {
    return delay([&calls] { return ++calls; });
  }
  static UnitContinuation<void> nothing(bool& called) {
    return delay([&called] { called = true; });
  }
  /// The digits of three programs, one after the other.
  template <class P, class Q, class R>
  static Ints sequence(P p, Q q, R r) {
    return p.flatMap([=](int x) {
      return q.flatMap([=](int y) { return r.map([=](int z) { return 100 * x + 10 * y + z; }); });
    });
  }
  /// The sum of so many runs of one program.
  static UnitContinuation<long> loop(int times, const Ints& step, long sum = 0) {
    if (times == 0) return now(sum);
    return step.flatMap([=](int x) { return loop(times - 1, step, sum + x); });
  }
  /// By recursion.
  static Ints fibonacci(int n) {
    if (n < 2) return now(n);
    return fibonacci(n - 1).flatMap(
        [=](int x) { return fibonacci(n - 2).map([=](int y) { return x + y; }); });
  }
  /// Within so many programs of its kind, which count their ends.
  static Ints nested(int levels, const Ints& leaf, int& ends) {
    const Ints inner = levels == 0 ? leaf : suspend([=, &ends] {
      return nested(levels - 1, leaf, ends).flatMap([](int x) { return now(x + 1); });
    });
    return ensure(inner, delay([&ends] { ++ends; }));
  }
  /// In parallel.
  template <class P, class Q>
  static UnitContinuation<std::tuple<int, int>> both(P p, Q q) {
    return tuple2(parallel(std::move(p)), parallel(std::move(q)));
  }
  /// Yields the number, which it has captured, once `first` has ended.
  template <class P>
  static UnitContinuation<MoveOnly> moveOnly(MoveOnly number, P first) {
    return std::move(first).map([number = std::move(number)](const Large& large) {
      return MoveOnly(number.value() + large.value());
    });
  }
  /// Owns a Counted while it waits, and then continues.
  template <class P>
  static UnitContinuation<void> holding(P first, bool& wentOn) {
    return suspend([=, &wentOn, held = Counted()] {
      return first.flatMap([held, &wentOn](auto...) { return nothing(wentOn); });
    });
  }
  /// The first, then the second, for ever.
  static UnitContinuation<void> forever(UnitContinuation<void> first, UnitContinuation<void> second) {
    return first.flatMap([=] { return second.flatMap([=] { return forever(first, second); }); });
  }
};

struct Fibers {
  static Ints count(int& calls) {
    return direct<UnitContinuation>([&calls] { return ++calls; });
  }
  static UnitContinuation<void> nothing(bool& called) {
    return direct<UnitContinuation>([&called] { called = true; });
  }
  template <class P, class Q, class R>
  static Ints sequence(P p, Q q, R r) {
    return direct<UnitContinuation>([=] {
      const int x = await(p);
      return 100 * x + 10 * !q + !r;
    });
  }
  static UnitContinuation<long> loop(int times, const Ints& step) {
    return direct<UnitContinuation>([=] {
      long sum = 0;
      for (int i = 0; i < times; ++i) sum += !step;
      return sum;
    });
  }
  static Ints fibonacci(int n) {
    struct At {
      static int of(int i) { return i < 2 ? !now(i) : of(i - 1) + of(i - 2); }
    };
    return direct<UnitContinuation>([=] { return At::of(n); });
  }
  static Ints nested(int levels, const Ints& leaf, int& ends) {
    return direct<UnitContinuation>([=, &ends] {
      const AtExit atExit(ends);
      return levels == 0 ? !leaf : 1 + !nested(levels - 1, leaf, ends);
    });
  }
  template <class P, class Q>
  static UnitContinuation<std::tuple<int, int>> both(P p, Q q) {
    return direct<UnitContinuation>([=] { return !std::tuple(p, q); });
  }
  template <class P>
  static UnitContinuation<MoveOnly> moveOnly(MoveOnly number, P first) {
    return direct<UnitContinuation>([number = std::move(number), first = std::move(first)] {
      const Large large = !first;
      return MoveOnly(number.value() + large.value());
    });
  }
  template <class P>
  static UnitContinuation<void> holding(P first, bool& wentOn) {
    return direct<UnitContinuation>([=, &wentOn] {
      const Counted held;
      !first;
      wentOn = true;
    });
  }
  static UnitContinuation<void> forever(UnitContinuation<void> first, UnitContinuation<void> second) {
    return direct<UnitContinuation>([=] {
      for (;;) {
        !first;
        !second;
      }
    });
  }

  // ---- what only blocks can do

  /// Catches so many cancellations, and then ends as if nothing had happened.
  static Ints swallowing(UnitContinuation<void> awaited, int times, int& caught) {
    return direct<UnitContinuation>([=, &caught] {
      for (int i = 0; i < times; ++i) {
        try {
          !awaited;
        } catch (const Cancelled&) {
          ++caught;
        }
      }
      return 1;
    });
  }
  /// Gives -1 for an error, and tries to continue.
  template <class E>
  static Ints catching(const Ints& awaited) {
    return direct<UnitContinuation>([=] {
      try {
        return !awaited;
      } catch (const E&) {
        return -1;
      }
    });
  }
  /// Throws what the function throws, after an await.
  template <class F>
  static UnitContinuation<void> throwing(F function,
                                         detail::Location location = detail::Location::current()) {
    return direct<UnitContinuation>(
        [=] {
          !now(1);
          function();
        },
        location);
  }
  /// Throws that in place of what the await throws.
  template <class E, class F>
  static UnitContinuation<void> replacing(const Ints& awaited, F function) {
    return direct<UnitContinuation>([=] {
      try {
        !awaited;
      } catch (const E&) {
        function();
      }
    });
  }
  template <class T>
  static auto awaiting(T awaitable) {
    return direct<UnitContinuation>([=] { return !awaitable; });
  }
};

struct Coroutines {
  static Ints count(int& calls) {
    return direct<UnitContinuation>([&calls]() -> Coroutine<int> { co_return ++calls; });
  }
  static UnitContinuation<void> nothing(bool& called) {
    return direct<UnitContinuation>([&called]() -> Coroutine<void> {
      called = true;
      co_return;
    });
  }
  template <class P, class Q, class R>
  static Ints sequence(P p, Q q, R r) {
    return direct<UnitContinuation>([=]() -> Coroutine<int> {
      const int x = co_await p;
      co_return 100 * x + 10 * co_await q + co_await r;
    });
  }
  static UnitContinuation<long> loop(int times, const Ints& step) {
    return direct<UnitContinuation>([=]() -> Coroutine<long> {
      long sum = 0;
      for (int i = 0; i < times; ++i) sum += co_await step;
      co_return sum;
    });
  }
  static Ints fibonacci(int n) {
    struct At {
      static Coroutine<int> of(int i) {
        if (i < 2) co_return co_await now(i);
        co_return co_await of(i - 1) + co_await of(i - 2);
      }
    };
    return direct<UnitContinuation>([=] { return At::of(n); });
  }
  static Ints nested(int levels, const Ints& leaf, int& ends) {
    return direct<UnitContinuation>([=, &ends]() -> Coroutine<int> {
      const AtExit atExit(ends);
      if (levels == 0) co_return co_await leaf;
      co_return 1 + co_await nested(levels - 1, leaf, ends);
    });
  }
  template <class P, class Q>
  static UnitContinuation<std::tuple<int, int>> both(P p, Q q) {
    return direct<UnitContinuation>(
        [=]() -> Coroutine<std::tuple<int, int>> { co_return co_await std::tuple(p, q); });
  }
  template <class P>
  static UnitContinuation<MoveOnly> moveOnly(MoveOnly number, P first) {
    return direct<UnitContinuation>(
        [number = std::move(number), first = std::move(first)]() -> Coroutine<MoveOnly> {
          const Large large = co_await first;
          co_return MoveOnly(number.value() + large.value());
        });
  }
  template <class P>
  static UnitContinuation<void> holding(P first, bool& wentOn) {
    return direct<UnitContinuation>([=, &wentOn]() -> Coroutine<void> {
      const Counted held;
      co_await first;
      wentOn = true;
    });
  }
  static UnitContinuation<void> forever(UnitContinuation<void> first, UnitContinuation<void> second) {
    return direct<UnitContinuation>([=]() -> Coroutine<void> {
      for (;;) {
        co_await first;
        co_await second;
      }
    });
  }

  static Ints swallowing(UnitContinuation<void> awaited, int times, int& caught) {
    return direct<UnitContinuation>([=, &caught]() -> Coroutine<int> {
      for (int i = 0; i < times; ++i) {
        try {
          co_await awaited;
        } catch (const Cancelled&) {
          ++caught;
        }
      }
      co_return 1;
    });
  }
  template <class E>
  static Ints catching(const Ints& awaited) {
    return direct<UnitContinuation>([=]() -> Coroutine<int> {
      try {
        co_return co_await awaited;
      } catch (const E&) {
        co_return -1;
      }
    });
  }
  template <class F>
  static UnitContinuation<void> throwing(F function,
                                         detail::Location location = detail::Location::current()) {
    return direct<UnitContinuation>(
        [=]() -> Coroutine<void> {
          co_await now(1);
          function();
        },
        location);
  }
  template <class E, class F>
  static UnitContinuation<void> replacing(const Ints& awaited, F function) {
    return direct<UnitContinuation>([=]() -> Coroutine<void> {
      try {
        co_await awaited;
      } catch (const E&) {
        function();
      }
    });
  }
  template <class T>
  static auto awaiting(T awaitable) {
    using A = decltype(await(awaitable));
    return direct<UnitContinuation>([=]() -> Coroutine<A> { co_return co_await awaitable; });
  }
};

}  // namespace tapestry::test
