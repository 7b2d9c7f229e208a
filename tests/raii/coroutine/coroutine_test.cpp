// Promises that concern only coroutines that await Dos; the rest is in direct_style_test.cpp.
#include "tapestry/raii/coroutine/coroutine.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::Manual;

namespace {

Coroutine<std::string> acquired(FakeResources& fakes, std::string name) {
  const std::string got = co_await fakes.make(name);
  fakes.note(name);
  co_return got;
}

Coroutine<std::string> acquiredBoth(FakeResources& fakes, std::string first, std::string second) {
  co_return co_await acquired(fakes, first) + co_await acquired(fakes, second);
}

}  // namespace

TEST_CASE("the block that awaits a coroutine holds the resources of the coroutine") {
  FakeResources fakes;
  const auto program = direct<Do>([&]() -> Coroutine<std::string> {
    auto text = co_await acquiredBoth(fakes, "a", "b");
    fakes.note("body");
    co_return text;
  });
  CHECK(program.blockingAwait() == "ab");
  CHECK(fakes.log() == "+a a +b b body -b -a");
}

TEST_CASE("an error that an awaited coroutine does not handle can be handled by its caller") {
  FakeResources fakes;
  const auto program = direct<Do>([&]() -> Coroutine<std::string> {
    std::string text;
    try {
      co_await acquiredBoth(fakes, "a", "a");
    } catch (const std::exception& error) {
      text = error.what();
    }
    co_return text + " " + co_await acquired(fakes, "b");
  });
  CHECK(program.blockingAwait() == "acquired twice: a b");
  CHECK(fakes.open() == 0);
}

TEST_CASE("when one of the awaits in an expression fails those after it begin nothing") {
  FakeResources fakes;
  const auto good = fakes.make("good");
  const auto bad = fakes.failingAcquire("bad");
  const auto late = fakes.make("late");
  const auto program =
      direct<Do>([=]() -> Coroutine<std::string> { co_return co_await good + co_await bad + co_await late; });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "acquire bad");
  CHECK(fakes.log() == "+good -good");
}

TEST_CASE("when one of the awaits in an expression is cancelled what came before it is released") {
  FakeResources fakes;
  Manual<std::string> manual;
  Delivery<std::string> delivery;
  const StopSource source;
  const auto good = fakes.make("good");
  const auto late = fakes.make("late");
  const auto waiting = manual.program();
  direct<Do>([=]() -> Coroutine<std::string> {
    co_return co_await good + co_await waiting + co_await late;
  }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()("");
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+good -good");
}

TEST_CASE("a failure is forgotten when something else in its expression has thrown") {
  const auto throwing = []() -> int { throw std::runtime_error("thrown"); };
  const auto failing = Do<int>::raiseError(std::runtime_error("failed"));
  const auto program = direct<Do>([=]() -> Coroutine<int> {
    int sum = 0;
    try {
      sum = throwing() + co_await failing;
    } catch (const std::runtime_error&) {
      sum = 1;
    }
    co_return sum + co_await now(2);
  });
  CHECK(program.blockingAwait() == 3);
}

TEST_CASE("a handle that is awaited is read in the coroutine") {
  const auto program = direct<Do>([]() -> Coroutine<int> {
    const auto handle = co_await scoped([] { return std::make_unique<int>(3); });
    co_return **handle;
  });
  CHECK(program.blockingAwait() == 3);
}

TEST_CASE("a block that makes no coroutine fails with what it throws") {
  const auto program = direct<Do>([]() -> Coroutine<int> { throw std::runtime_error("no coroutine"); });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "no coroutine");
}
