// Defines MonadicDo, DoFibers and DoCoroutines, the styles in which a Do is written: the same programs in
// each.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "support/programs/fake_resource.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/direct/direct.hpp"

namespace tapestry::test {

using Text = std::string;

struct MonadicDo {
  static Do<int> count(int& calls) {
    return Do<int>::delay([&calls] { return ++calls; });
  }
  /// The sum of three.
  static Do<int> sum(Do<int> p, Do<int> q, UnitContinuation<int> r) {
    return p.flatMap([=](int x) {
      return q.flatMap([=](int y) { return Do<int>::lift(r).map([=](int z) { return x + y + z; }); });
    });
  }
  static Do<std::unique_ptr<int>> incremented(Do<std::unique_ptr<int>> program) {
    return program.map([](std::unique_ptr<int> number) {
      ++*number;
      return number;
    });
  }
  /// The error's text, and what comes after it.
  static Do<Text> caught(Do<int> failing, Do<Text> after) {
    return failing.map([](int) { return Text("no error"); }).handleError([=](std::exception_ptr error) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& exception) {
        return after.map([text = Text(exception.what())](const Text& then) { return text + then; });
      }
    });
  }
  /// Awaits, and then throws.
  static Do<int> throwing(Do<void> first, Text text) {
    return first.map([=]() -> int { throw std::runtime_error(text); });
  }
  /// Acquires one after the other, and notes what it does then; gives the first.
  template <class A, class B>
  static Do<Text> acquiring(FakeResources& fakes, Do<A> first, Do<B> second) {
    return first.flatMap([=, &fakes](const A& a) {
      return second.map([=, &fakes](const B&) {
        fakes.note("body");
        return a;
      });
    });
  }
  /// Acquires `name`, awaits the inner one, then acquires `name'`.
  static Do<int> level(FakeResources& fakes, Text name, Do<int> inner) {
    return fakes.make(name).flatMap([=, &fakes](const Text&) {
      return inner.flatMap([=, &fakes](int value) {
        return fakes.make(name + "'").map([=](const Text&) { return value + 1; });
      });
    });
  }
  template <class A, class B>
  static Do<std::tuple<A, B>> both(Do<A> first, Do<B> second) {
    return tuple2(parallel(first), parallel(second));
  }
};

struct DoFibers {
  static Do<int> count(int& calls) {
    return direct<Do>([&calls] { return ++calls; });
  }
  static Do<int> sum(Do<int> p, Do<int> q, UnitContinuation<int> r) {
    return direct<Do>([=] {
      const int x = !p;
      return x + await(q) + !r;
    });
  }
  static Do<std::unique_ptr<int>> incremented(Do<std::unique_ptr<int>> program) {
    return direct<Do>([=] {
      auto number = !program;
      ++*number;
      return number;
    });
  }
  static Do<Text> caught(Do<int> failing, Do<Text> after) {
    return direct<Do>([=]() -> Text {
      try {
        !failing;
        return "no error";
      } catch (const std::exception& error) {
        return error.what() + !after;
      }
    });
  }
  static Do<int> throwing(Do<void> first, Text text) {
    return direct<Do>([=]() -> int {
      !first;
      throw std::runtime_error(text);
    });
  }
  template <class A, class B>
  static Do<Text> acquiring(FakeResources& fakes, Do<A> first, Do<B> second) {
    return direct<Do>([=, &fakes] {
      const Text a = !first;
      !second;
      fakes.note("body");
      return a;
    });
  }
  static Do<int> level(FakeResources& fakes, Text name, Do<int> inner) {
    return direct<Do>([=, &fakes] {
      !fakes.make(name);
      const int value = !inner;
      !fakes.make(name + "'");
      return value + 1;
    });
  }
  template <class A, class B>
  static Do<std::tuple<A, B>> both(Do<A> first, Do<B> second) {
    return direct<Do>([=] { return !std::tuple(first, second); });
  }

  // ---- what only blocks can do

  template <class T>
  static auto awaiting(T awaitable) {
    return direct<Do>([=] { return !awaitable; });
  }
  /// Catches so many cancellations, and then ends as if nothing had happened.
  static Do<int> swallowing(Do<Text> awaited, int times, int& caught) {
    return direct<Do>([=, &caught] {
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
  /// Throws, with the error of its own, where the second is cancelled.
  static Do<int> replacing(Do<Text> first, Do<int> second, Text text) {
    return direct<Do>([=] {
      !first;
      try {
        return !second;
      } catch (const Cancelled&) {
        throw std::runtime_error(text);
      }
    });
  }
  template <class F>
  static Do<void> calling(Do<Text> first, F function) {
    return direct<Do>([=] {
      !first;
      function();
    });
  }
  /// Notes when its locals are destroyed.
  static Do<void> unwinding(FakeResources& fakes, Do<Text> first, Do<Text> second) {
    return direct<Do>([=, &fakes] {
      const struct AtExit {
        FakeResources& all;
        ~AtExit() { all.note("unwound"); }
      } atExit{fakes};
      !first;
      !second;
      fakes.note("not reached");
    });
  }
};

struct DoCoroutines {
  static Do<int> count(int& calls) {
    return direct<Do>([&calls]() -> Coroutine<int> { co_return ++calls; });
  }
  static Do<int> sum(Do<int> p, Do<int> q, UnitContinuation<int> r) {
    return direct<Do>([=]() -> Coroutine<int> {
      const int x = co_await p;
      co_return x + co_await q + co_await r;
    });
  }
  static Do<std::unique_ptr<int>> incremented(Do<std::unique_ptr<int>> program) {
    return direct<Do>([=]() -> Coroutine<std::unique_ptr<int>> {
      auto number = co_await program;
      ++*number;
      co_return number;
    });
  }
  static Do<Text> caught(Do<int> failing, Do<Text> after) {
    return direct<Do>([=]() -> Coroutine<Text> {
      Text text;
      try {
        co_await failing;
        co_return "no error";
      } catch (const std::exception& error) {
        text = error.what();
      }
      co_return text + co_await after;
    });
  }
  static Do<int> throwing(Do<void> first, Text text) {
    return direct<Do>([=]() -> Coroutine<int> {
      co_await first;
      throw std::runtime_error(text);
    });
  }
  template <class A, class B>
  static Do<Text> acquiring(FakeResources& fakes, Do<A> first, Do<B> second) {
    return direct<Do>([=, &fakes]() -> Coroutine<Text> {
      const Text a = co_await first;
      co_await second;
      fakes.note("body");
      co_return a;
    });
  }
  static Do<int> level(FakeResources& fakes, Text name, Do<int> inner) {
    return direct<Do>([=, &fakes]() -> Coroutine<int> {
      co_await fakes.make(name);
      const int value = co_await inner;
      co_await fakes.make(name + "'");
      co_return value + 1;
    });
  }
  template <class A, class B>
  static Do<std::tuple<A, B>> both(Do<A> first, Do<B> second) {
    return direct<Do>([=]() -> Coroutine<std::tuple<A, B>> { co_return co_await std::tuple(first, second); });
  }

  template <class T>
  static auto awaiting(T awaitable) {
    using A = decltype(await(awaitable));
    return direct<Do>([=]() -> Coroutine<A> { co_return co_await awaitable; });
  }
  static Do<int> swallowing(Do<Text> awaited, int times, int& caught) {
    return direct<Do>([=, &caught]() -> Coroutine<int> {
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
  static Do<int> replacing(Do<Text> first, Do<int> second, Text text) {
    return direct<Do>([=]() -> Coroutine<int> {
      co_await first;
      try {
        co_return co_await second;
      } catch (const Cancelled&) {
        throw std::runtime_error(text);
      }
    });
  }
  template <class F>
  static Do<void> calling(Do<Text> first, F function) {
    return direct<Do>([=]() -> Coroutine<void> {
      co_await first;
      function();
    });
  }
  static Do<void> unwinding(FakeResources& fakes, Do<Text> first, Do<Text> second) {
    return direct<Do>([=, &fakes]() -> Coroutine<void> {
      const struct AtExit {
        explicit AtExit(FakeResources& resources) : all(resources) {}
        AtExit(const AtExit&) = delete;
        ~AtExit() { all.note("unwound"); }
        FakeResources& all;
      } atExit(fakes);
      co_await first;
      co_await second;
      fakes.note("not reached");
    });
  }
};

}  // namespace tapestry::test
