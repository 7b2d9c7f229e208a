#include "tapestry/continuation/unit_continuation.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::Large;
using test::Manual;
using test::MoveOnly;

TEST_CASE("programs of one value type erase to one type") {
  UnitContinuation<int> program = now(1);
  program = delay([] { return 2; }).map([](int x) { return x + 1; });
  CHECK(program.blockingAwait() == 3);
  program = program.flatMap([](int x) { return now(x + 1); });
  CHECK(program.blockingAwait() == 4);
  CHECK(std::is_same_v<decltype(UnitContinuation(now(1))), UnitContinuation<int>>);
}

TEST_CASE("a program converts to no other value type so that overloads for several are distinguished") {
  struct Overloaded {
    static int of(const UnitContinuation<int>&) { return 1; }
    static int of(const UnitContinuation<std::string>&) { return 2; }
    static int of(const UnitContinuation<void>&) { return 3; }
  };
  CHECK(Overloaded::of(now(1)) == 1);
  CHECK(Overloaded::of(now(std::string())) == 2);
  CHECK(Overloaded::of(delay([] {})) == 3);
  static_assert(!std::is_convertible_v<decltype(now(1)), UnitContinuation<std::string>>);
  static_assert(!std::is_constructible_v<UnitContinuation<std::string>, UnitContinuation<int>>);
}

TEST_CASE("a copy of an erased program is the same program") {
  const UnitContinuation<int> program = now(1);
  const auto copy = program;
  CHECK(copy.node() == program.node());
}

TEST_CASE("building and copying and moving and destroying a program performs none of its effects") {
  int effects = 0;
  {
    auto program =
        delay([&] { return ++effects; }).map([&](int x) { return ++effects, x; }).flatMap([&](int x) {
          return ++effects, now(x);
        });
    UnitContinuation<int> erased = program;
    auto copy = erased;
    auto moved = std::move(erased);
    erased = copy.flatMap([&](int x) { return ++effects, now(x); });
    const std::vector<UnitContinuation<int>> many(10, moved);
  }
  CHECK(effects == 0);
}

TEST_CASE("each run performs the effects afresh") {
  int effects = 0;
  const UnitContinuation<int> program = delay([&] { return ++effects; }).flatMap([&](int x) {
    return delay([&effects, x] { return ++effects, x; });
  });
  CHECK(program.blockingAwait() == 1);
  CHECK(program.blockingAwait() == 3);
  CHECK(effects == 4);
}

TEST_CASE("map and flatMap on a named program leave it as it is") {
  const auto program = delay([] { return std::string("value"); });
  const auto longer = program.map([](const std::string& s) { return s + "!"; });
  const auto longest = longer.flatMap([](const std::string& s) { return now(s + "!"); });
  CHECK(program.blockingAwait() == "value");
  CHECK(longer.blockingAwait() == "value!");
  CHECK(longest.blockingAwait() == "value!!");
}

TEST_CASE("a leaf that the function of a flatMap returns does not begin after a request to stop") {
  int effects = 0;
  const auto cancelled = [&effects](auto erase) {
    const StopSource source;
    const auto program = now(1).flatMap([&effects, source, erase](int) {
      source.requestStop();
      return erase(delay([&effects] { return ++effects; }));
    });
    Delivery<int> delivery;
    program.onComplete(delivery.callback(), source.token());
    return delivery.outcome().isCancelled();
  };
  CHECK(cancelled([](auto leaf) { return leaf; }));
  CHECK(cancelled([](auto leaf) { return UnitContinuation(std::move(leaf)); }));
  CHECK(effects == 0);
}

TEST_CASE("functions take and return void where their program does") {
  int calls = 0;
  const UnitContinuation<void> program =
      now(1).map([&](int) { ++calls; }).flatMap([&] { return now(++calls); }).map([&](int) { ++calls; });
  program.blockingAwait();
  CHECK(calls == 3);
}

TEST_CASE("a chain carries values of any kind and destroys each once") {
  const auto chain = [](auto made) {
    const UnitContinuation<int> program = delay(made)
                                              .flatMap([made](auto) { return delay(made); })
                                              .map([](auto value) { return value; })
                                              .flatMap([](auto value) { return now(value.value()); });
    return program.blockingAwait();
  };
  CHECK(chain([] { return Counted(1); }) == 1);
  CHECK(chain([] { return Large(2); }) == 2);
  CHECK(chain([] { return MoveOnly(3); }) == 3);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a program may capture an object that cannot be copied and destroys it with the last copy") {
  {
    UnitContinuation<int> program =
        now(1).flatMap([captured = MoveOnly(2)](int x) { return now(x + captured.value()); });
    const auto copy = program;
    program = now(0);
    CHECK(Counted::live() == 1);
    CHECK(copy.blockingAwait() == 3);
    CHECK(copy.blockingAwait() == 3);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("a program may be destroyed while a run of it waits") {
  Manual<int> manual;
  Delivery<int> delivery;
  manual.program()
      .flatMap([captured = Counted(2)](int x) { return now(x + captured.value()); })
      .onComplete(delivery.callback());
  CHECK(Counted::live() >= 1);
  manual.take()(1);
  CHECK(delivery.outcome().get() == 3);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a run keeps nothing alive after its outcome") {
  Delivery<Counted> delivery;
  delay([] { return Counted(7); }).onComplete([&, captured = Counted(1)](Outcome<Counted> outcome) {
    delivery.callback()(std::move(outcome));
  });
  CHECK(delivery.outcome().get().value() == 7);
  CHECK(Counted::live() == 1);
}

TEST_CASE("a run that is started inside of another one runs when that one waits or has ended") {
  std::string log;
  const auto inner = delay([&] { log += "inner "; });
  now(1)
      .map([&](int) {
        inner.onComplete([&](Outcome<void>) { log += "ended "; });
        log += "outer ";
      })
      .blockingAwait();
  CHECK(log == "outer inner ended ");
}

TEST_CASE("blockingAwait works inside of a run on a plain thread") {
  const auto inner = now(20).flatMap([](int x) { return now(x + 1); });
  const auto outer = delay([=] { return inner.blockingAwait() * 2; }).flatMap([](int x) { return now(x); });
  CHECK(outer.blockingAwait() == 42);
}

TEST_CASE("a nested blockingAwait that waits for another thread yields its value") {
  const auto inner = async<int>([](Callback<int> callback) {
    std::thread([callback = std::move(callback)] { callback(21); }).detach();
  });
  CHECK(delay([=] { return inner.blockingAwait() * 2; }).blockingAwait() == 42);
}

TEST_CASE("a nested blockingAwait begins no branch of the run around it") {
  int inside = 0;
  int most = 0;
  const auto branch = delay([&] {
    most = std::max(most, ++inside);
    const int x = now(1).blockingAwait();
    return --inside, x;
  });
  const auto program = tupleN(parallel(branch), parallel(branch), parallel(branch));
  CHECK(program.blockingAwait() == std::tuple(1, 1, 1));
  CHECK(most == 1);
}

TEST_CASE("the outcome may be taken by a callback that cannot be copied") {
  int got = 0;
  now(3).onComplete(
      [&got, captured = std::make_unique<int>(4)](Outcome<int> outcome) { got = outcome.get() + *captured; });
  CHECK(got == 7);
}

TEST_CASE("a program that cannot be copied can be named and started") {
  const auto made = [] { return delay([value = std::make_unique<int>(7)] { return *value; }); };
  Delivery<int> plain, pooled;
  made().onComplete(plain.callback());
  CHECK(plain.outcome().get() == 7);
  made().onComplete(pooled.callback(), Executor::inlined());
  CHECK(pooled.outcome().get() == 7);
  CHECK(made().named("job").blockingAwait() == 7);
}

TEST_CASE("a large value may be of a type that has an operator &") {
  struct Hidden {
    void operator&() const = delete;
    int values[100] = {7};
  };
  const auto program =
      delay([] { return Hidden(); }).map([](const Hidden& hidden) { return hidden.values[0]; });
  CHECK(program.blockingAwait() == 7);
}
