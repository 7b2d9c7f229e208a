#include "tapestry/raii/direct.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "support/delivery.hpp"
#include "support/error_text.hpp"
#include "support/fake_resource.hpp"
#include "support/manual.hpp"
#include "tapestry/continuation/thread_pool.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::errorText;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

namespace user {

/// A type of somebody else, which awaits as its text.
struct Named {
  std::string name;
  friend tapestry::Do<std::string> toProgram(const Named& named) {
    return tapestry::Do<std::string>::now(named.name);
  }
};

}  // namespace user

TEST_CASE("a block is a Do that yields what the block returns afresh in every run") {
  int calls = 0;
  const auto program = direct<Do>([&] { return ++calls; });
  static_assert(std::is_same_v<decltype(program), const Do<int>>);
  CHECK(calls == 0);
  CHECK(program.blockingAwait() == 1);
  CHECK(program.map([](int x) { return 10 * x; }).blockingAwait() == 20);
  static_assert(std::is_same_v<decltype(direct<Do>([] {})), Do<void>>);
  direct<Do>([] {}).blockingAwait();
}

TEST_CASE("a block awaits programs that may fail and programs that cannot") {
  const auto program = direct<Do>([] {
    !Do<void>::now();
    return !Do<int>::now(1) + await(Do<int>::delay([] { return 20; })) + !now(300) +
           !UnitContinuation<int>(now(4000));
  });
  CHECK(program.blockingAwait() == 4321);
}

TEST_CASE("values that cannot be copied pass through a block") {
  const auto program = direct<Do>([] {
    auto pointer = !Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(4); });
    *pointer += 1;
    return pointer;
  });
  CHECK(*program.blockingAwait() == 5);
}

TEST_CASE("an error is thrown from the await where the block may handle it") {
  const auto program = direct<Do>([]() -> std::string {
    try {
      !Do<int>::raiseError(std::runtime_error("failed"));
      return "no error";
    } catch (const std::runtime_error& error) {
      return std::string("caught ") + error.what() + (!Do<bool>::now(true) ? " and went on" : "");
    }
  });
  CHECK(program.blockingAwait() == "caught failed and went on");
}

TEST_CASE("what leaves the block is the error of the Do") {
  CHECK(errorOf([] {
          direct<Do>([] { !Do<int>::raiseError(std::runtime_error("awaited")); }).blockingAwait();
        }) == "awaited");
  const auto thrown = direct<Do>([]() -> int { throw std::runtime_error("thrown"); });
  CHECK(errorOf([&] { thrown.blockingAwait(); }) == "thrown");
  CHECK(thrown.handleError([](auto) { return Do<int>::now(7); }).blockingAwait() == 7);
}

TEST_CASE("a program without errors that is stopped with one throws it from the await") {
  Manual<int> manual;
  Delivery<std::string> delivery;
  direct<Do>([&]() -> std::string {
    try {
      !manual.program();
      return "no error";
    } catch (const BrokenCallback&) {
      return !Do<std::string>::now("caught");
    }
  }).onComplete(delivery.callback());
  { const auto dropped = manual.take(); }
  CHECK(delivery.outcome().get() == "caught");
}

TEST_CASE("a resource that is awaited lives until the end of the scope that encloses the Do") {
  FakeResources fakes;
  const auto block = direct<Do>([&] {
    const auto a = !fakes.make("a");
    !fakes.make("b");
    fakes.note("body");
    return a;
  });
  const auto program = block.map([&](const std::string& a) {
    fakes.note("after");
    return fakes.isOpen(a) && fakes.isOpen("b");
  });
  CHECK(program.blockingAwait());
  CHECK(fakes.log() == "+a +b body after -b -a");
  CHECK(fakes.faults().empty());
  CHECK(program.blockingAwait());
  CHECK(fakes.open() == 0);
}

TEST_CASE("a scope that is awaited releases what it acquired before its await returns") {
  FakeResources fakes;
  direct<Do>([&] {
    !fakes.make("outer");
    !direct<Do>([&] { return !fakes.make("inner"); }).run();
    fakes.note("body");
  }).blockingAwait();
  CHECK(fakes.log() == "+outer +inner -inner body -outer");
}

TEST_CASE("a block that fails releases everything in reverse order") {
  FakeResources fakes;
  const auto program = direct<Do>([&] {
    !fakes.make("a");
    !fakes.make("b");
    !fakes.failingAcquire("c");
    fakes.note("not reached");
  });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "acquire c");
  CHECK(fakes.log() == "+a +b -b -a");
}

TEST_CASE("a handled failure of the block keeps its resources until the scope ends as flatMap does") {
  FakeResources fakes;
  direct<Do>([&] {
    !fakes.make("a");
    throw std::runtime_error("failed");
  })
      .handleError([&](auto) {
        fakes.note("handler");
        return Do<void>::now();
      })
      .blockingAwait();
  CHECK(fakes.log() == "+a handler -a");
}

TEST_CASE("errors of releases follow the block's own") {
  FakeResources fakes;
  const auto acquireBoth = [&fakes] {
    !fakes.failingRelease("a");
    !fakes.failingRelease("b");
  };
  CHECK(errorOf([&] { direct<Do>(acquireBoth).blockingAwait(); }) == "[release b, release a]");
  const auto failing = direct<Do>([=] {
    acquireBoth();
    throw std::runtime_error("body");
  });
  CHECK(errorOf([&] { failing.blockingAwait(); }) == "[body, release b, release a]");
  CHECK(fakes.open() == 0);
}

TEST_CASE("scoped and shared values are awaited as handles") {
  const auto shared = scoped([] { return std::string("text"); }).shared();
  const auto program = direct<Do>([=] {
    const auto handle = !scoped([] { return std::make_unique<int>(3); });
    const auto one = !shared;
    const auto two = !shared;
    return **handle + static_cast<int>((*one)->size()) + (&**one == &**two ? 100 : 0);
  });
  CHECK(program.blockingAwait() == 107);
}

TEST_CASE("the parts of a tuple or pair of Dos run in parallel and their resources are held") {
  FakeResources fakes;
  Manual<int> manual;
  Delivery<int> delivery;
  const auto part = Do<int>::lift(manual.program());
  direct<Do>([&] {
    auto [a, b, c] = !std::tuple(part, part, manual.program());
    const std::pair<std::string, int> pair = !std::pair(fakes.make("x"), part);
    CHECK(fakes.isOpen(pair.first));
    return 1000 * a + 100 * b + 10 * c + pair.second;
  }).onComplete(delivery.callback());
  REQUIRE(manual.waiting() == 3);
  for (int i = 1; i <= 4; ++i) manual.take()(i);
  CHECK(delivery.outcome().get() == 1234);
  CHECK(fakes.log() == "+x -x");
}

TEST_CASE("a part that fails is thrown from the await of the tuple after the others have been released") {
  FakeResources fakes;
  const auto program = direct<Do>([&] {
    !fakes.make("first");
    try {
      !std::pair(fakes.make("a"), fakes.failingAcquire("b"));
    } catch (const test::AcquireFailed&) {
      fakes.note("caught");
    }
  });
  program.blockingAwait();
  CHECK(fakes.log() == "+first +a -a caught -first");
}

TEST_CASE("a type with a function toProgram that gives a Do can be awaited also within a pair") {
  const auto program = direct<Do>([] {
    auto [a, b] = !std::pair(user::Named{"a"}, user::Named{"b"});
    return a + b + !user::Named{"c"};
  });
  CHECK(program.blockingAwait() == "abc");
}

TEST_CASE("a block of Do may contain blocks of both kinds") {
  const auto unit = direct<UnitContinuation>([] { return !now(1); });
  const auto failing =
      direct<Do>([=]() -> int { throw std::runtime_error("inner " + std::to_string(!unit)); });
  const auto outer = direct<Do>([=] {
    try {
      return !unit + !failing;
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()) == "inner 1");
      return 10 * !unit;
    }
  });
  CHECK(outer.blockingAwait() == 10);
}

TEST_CASE("awaiting a Do outside of a block of Do is an error") {
  CHECK(errorOf([] { !Do<int>::now(1); }) ==
        "tapestry::await: called outside of a block, expected a call in direct<...>([=] { ... })");
  const auto inner = direct<UnitContinuation>([] { return errorOf([] { !Do<int>::now(1); }); });
  CHECK(direct<Do>([=] { return !inner; }).blockingAwait() ==
        "tapestry::await: a Do was awaited in a block that cannot fail, expected a call in direct<Do>([=] { "
        "... })");
}

TEST_CASE("a block that makes and awaits programs on several threads releases on all of them") {
  FakeResources fakes;
  ThreadPool pool(3);
  const auto branch = [&](int i) {
    return direct<Do>([&fakes, &pool, i] {
      for (int k = 0; k < 20; ++k) {
        !shift(pool);
        !fakes.make(std::to_string(100 * i + k));
      }
      return i;
    });
  };
  const auto program = direct<Do>([&] {
    auto [a, b, c] = !std::tuple(branch(1), branch(2), branch(3));
    return a + b + c;
  });
  for (int i = 0; i < 10; ++i) CHECK(program.blockingAwait(pool) == 6);
  CHECK(fakes.open() == 0);
  CHECK(fakes.faults().empty());
}
