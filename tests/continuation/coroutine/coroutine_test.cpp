// Promises that concern only coroutines; the rest is in direct_style_test.cpp.
#include "tapestry/continuation/coroutine/coroutine.hpp"

#include <doctest/doctest.h>

#include <concepts>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/programs/runs.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::errorOf;
using test::isError;
using test::Manual;
using test::MoveOnly;

static_assert(!std::copyable<Coroutine<int>>);
static_assert(std::movable<Coroutine<int>>);

namespace {

Coroutine<int> twice(UnitContinuation<int> program) { co_return co_await program + co_await program; }

Coroutine<MoveOnly> moved(MoveOnly number, UnitContinuation<void> first) {
  co_await first;
  co_return number;
}

/// Converts to an argument of operator new, as a type that converts to any type does.
struct ToAlignment {
  operator std::align_val_t() const { throw std::logic_error("converted"); }
};

Coroutine<int> taking(ToAlignment) { co_return co_await now(7); }

Coroutine<int> throwing(int number) {
  co_await now();
  if (number >= 0) throw std::runtime_error("number " + std::to_string(number));
  co_return number;
}

Coroutine<void> note(std::string& log, std::string text, UnitContinuation<void> first) {
  co_await first;
  log += text;
}

}  // namespace

TEST_CASE("a coroutine awaits another one as a function calls one") {
  Manual<int> manual;
  Delivery<int> delivery;
  direct<UnitContinuation>([&]() -> Coroutine<int> {
    const int sum = co_await twice(manual.program());
    co_return sum* co_await twice(now(5));
  }).onComplete(delivery.callback());
  manual.take()(1);
  manual.take()(2);
  CHECK(delivery.outcome().get() == 30);
}

TEST_CASE("a block may return the coroutine of another function") {
  CHECK(direct<UnitContinuation>([] { return twice(now(4)); }).blockingAwait() == 8);
}

TEST_CASE("arguments and results of a coroutine are moved") {
  {
    const auto program = direct<UnitContinuation>([]() -> Coroutine<int> {
      MoveOnly number(7);
      const MoveOnly back = co_await moved(std::move(number), now());
      co_return back.value();
    });
    CHECK(program.blockingAwait() == 7);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("the memory of a coroutine does not depend on conversions of its arguments") {
  CHECK(direct<UnitContinuation>([] { return taking(ToAlignment()); }).blockingAwait() == 7);
}

TEST_CASE("an exception of an awaited coroutine is thrown from its await") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<std::string> {
    std::string text;
    for (const int number : {1, -2, 3}) {
      try {
        text += std::to_string(co_await throwing(number)) + ";";
      } catch (const std::runtime_error& error) {
        text += std::string(error.what()) + ";";
      }
    }
    co_return text;
  });
  CHECK(program.blockingAwait() == "number 1;-2;number 3;");
}

TEST_CASE("awaits of one expression take their values in order and stop at the first that throws") {
  std::string log;
  const auto noted = [&log](std::string text) { return delay([&log, text] { log += text; }); };
  const auto program = direct<UnitContinuation>([&]() -> Coroutine<int> {
    const auto one = noted("a").map([] { return 1; });
    const auto two = noted("b").flatMap([] { return now(2); });
    const int sum = 100 * co_await one + 10 * co_await two + co_await twice(UnitContinuation<int>(now(3)));
    try {
      co_return co_await throwing(5) + co_await two + co_await one + co_await throwing(6);
    } catch (const std::runtime_error& error) {
      log += error.what();
    }
    co_return sum;
  });
  CHECK(program.blockingAwait() == 126);
  CHECK(log == "abnumber 5");
}

TEST_CASE("awaits of one expression begin nothing more when the first has seen a request to stop") {
  const StopSource source;
  Manual<int> manual;
  Delivery<int> delivery;
  std::string log;
  direct<UnitContinuation>([&]() -> Coroutine<int> {
    const auto begun = delay([&] {
      log += "begun";
      return 1;
    });
    co_return co_await manual.program() + co_await begun + co_await twice(begun);
  }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()(1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(log.empty());
}

TEST_CASE("an awaited coroutine that is stopped is unwound before its caller") {
  struct Noting {
    Noting(std::string& text, const char* end) : log(text), name(end) {}
    Noting(const Noting&) = delete;
    ~Noting() { log += name; }
    std::string& log;
    const char* name;
  };
  struct Levels {
    static Coroutine<void> inner(std::string& log, UnitContinuation<int> first) {
      const Noting noting(log, "inner ");
      co_await first;
      log += "not reached ";
    }
    static Coroutine<void> outer(std::string& log, UnitContinuation<int> first) {
      const Noting noting(log, "outer ");
      try {
        co_await inner(log, first);
      } catch (const Cancelled&) {
        log += "caught ";
      }
      co_await note(log, "not reached either", now());
    }
  };
  Manual<int> manual;
  Delivery<void> delivery;
  const StopSource source;
  std::string log;
  direct<UnitContinuation>([&] {
    return Levels::outer(log, manual.program());
  }).onComplete(delivery.callback(), source.token());
  CHECK(log.empty());
  source.requestStop();
  CHECK(log == "inner caught outer ");
  manual.take()(1);
  CHECK(log == "inner caught outer ");
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("a coroutine that is not awaited does nothing and gives back its arguments") {
  std::string log;
  {
    const auto dropped = note(log, "note", now());
    auto unused = moved(MoveOnly(1), now());
    CHECK(Counted::live() == 1);
    unused = moved(MoveOnly(2), now());
    CHECK(Counted::live() == 1);
  }
  CHECK(Counted::live() == 0);
  CHECK(log.empty());
}

TEST_CASE("a coroutine can be made first and awaited later") {
  std::string log;
  direct<UnitContinuation>([&]() -> Coroutine<void> {
    auto second = note(log, "second", now());
    co_await note(log, "first ", now());
    co_await std::move(second);
  }).blockingAwait();
  CHECK(log == "first second");
}

TEST_CASE("a coroutine that was moved from cannot be awaited") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<std::string> {
    auto coroutine = twice(now(1));
    const int sum = co_await std::move(coroutine);
    try {
      co_await std::move(coroutine);
    } catch (const std::logic_error& error) {
      co_return std::to_string(sum) + error.what();
    }
    co_return "no error";
  });
  CHECK(
      program.blockingAwait() ==
      "2tapestry::Coroutine: awaited after it was moved from, expected a Coroutine that was not moved from");
}

TEST_CASE("the captures of a block live as long as its runs") {
  Manual<int> manual;
  Delivery<int> delivery;
  {
    auto program = direct<UnitContinuation>([number = std::make_unique<int>(4), held = Counted(),
                                             waiting = manual.program()]() -> Coroutine<int> {
      const int sum = co_await waiting + *number;
      co_return co_await waiting + sum;
    });
    program.onComplete(delivery.callback());
    program = now(1);
  }
  CHECK(Counted::live() == 1);
  manual.take()(10);
  manual.take()(100);
  CHECK(delivery.outcome().get() == 114);
  CHECK(Counted::live() == 0);
}

TEST_CASE("the locals of a coroutine live until it ends and its arguments hardly longer") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<std::vector<int>> {
    std::vector<int> live;
    for (int i = 0; i < 3; ++i) {
      {
        const MoveOnly number = co_await moved(MoveOnly(i), now());
        live.push_back(Counted::live());
      }
      live.push_back(Counted::live());
    }
    co_return live;
  });
  CHECK(program.blockingAwait() == std::vector<int>{1, 0, 1, 0, 1, 0});
}

TEST_CASE("a block that makes no coroutine fails as a coroutine that throws") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<int> { throw Cancelled(); });
  CHECK_THROWS_AS(program.blockingAwait(), Cancelled);
}

namespace {

struct HoldsCoroutine {
  Coroutine<MoveOnly> coroutine;
};
Coroutine<MoveOnly> taken(HoldsCoroutine holder) { return std::move(holder.coroutine); }

}  // namespace

TEST_CASE("a temporary coroutine is destroyed once where the compiler copies its bytes") {
  // g++ 12 does in each of these expressions; see tapestry/continuation/coroutine/coroutine.hpp
  for (const bool first : {true, false}) {
    CAPTURE(first);
    Manual<void> manual;
    Delivery<int> delivery;
    direct<UnitContinuation>([&]() -> Coroutine<int> {
      const auto begun = [&](int number) { return moved(MoveOnly(number), manual.program()); };
      MoveOnly chosen = co_await (first ? begun(1) : begun(2));  // check_awaits: ok
      MoveOnly held = co_await taken({begun(10)});               // check_awaits: ok
      MoveOnly captured =
          co_await [made = begun(100)]() mutable { return std::move(made); }();  // check_awaits: ok
      co_return chosen.value() + held.value() + captured.value();
    }).onComplete(delivery.callback());
    for (int i = 0; i < 3; ++i) manual.take()();
    CHECK(delivery.outcome().get() == (first ? 111 : 112));
    CHECK(Counted::live() == 0);
  }
}

TEST_CASE("a temporary coroutine that is chosen and not awaited is destroyed once") {
  for (const bool first : {true, false}) {
    const auto program = direct<UnitContinuation>([&]() -> Coroutine<int> {
      auto unused = moved(MoveOnly(0), now());
      // check_awaits: ok
      unused = first ? moved(MoveOnly(1), now()) : moved(MoveOnly(2), now()), co_await now();
      co_return Counted::live();
    });
    CHECK(program.blockingAwait() == 1);
    CHECK(Counted::live() == 0);
  }
}
