#include "tapestry/continuation/environment.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::Manual;

namespace {

struct Name {
  using Type = std::string;
  static std::string initial() { return "nobody"; }
};

struct Level {
  using Type = int;
  static int initial() { return -1; }
};

struct Held {
  using Type = std::shared_ptr<Counted>;
  static Type initial() { return nullptr; }
};

}  // namespace

TEST_CASE("ask yields the initial value where no local encloses it") {
  CHECK(ask<Name>().blockingAwait() == "nobody");
  CHECK(ask<Level>().blockingAwait() == -1);
}

TEST_CASE("local sets a slot for its program only") {
  const auto program = tuple2(local<Name>("Ada", ask<Name>()), ask<Name>());
  CHECK(program.blockingAwait() == std::tuple<std::string, std::string>("Ada", "nobody"));
}

TEST_CASE("the innermost local counts and the outer one holds again after it") {
  const auto both = tuple2(local<Name>("inner", ask<Name>()), ask<Name>());
  CHECK(local<Name>("outer", both).blockingAwait() == std::tuple<std::string, std::string>("inner", "outer"));
}

TEST_CASE("slots of different types do not disturb each other") {
  const auto both = tuple2(ask<Name>(), ask<Level>());
  const auto program = local<Name>("Ada", local<Level>(1, mask(local<Level>(2, both))));
  CHECK(program.blockingAwait() == std::tuple<std::string, int>("Ada", 2));
}

TEST_CASE("the program that a flatMap after a local returns is outside of the local") {
  const auto program = local<Level>(1, ask<Level>()).flatMap([](int inside) {
    return ask<Level>().map([=](int x) { return x * 10 + inside; });
  });
  CHECK(program.blockingAwait() == -9);
}

TEST_CASE("a slot keeps its value while its run waits") {
  Manual<int> manual;
  Delivery<std::string> delivery;
  local<Name>("Ada", manual.program().flatMap([](int) {
    return ask<Name>();
  })).onComplete(delivery.callback());
  ask<Name>().blockingAwait();
  manual.take()(0);
  CHECK(delivery.outcome().get() == "Ada");
}

TEST_CASE("parallel branches inherit the slots and do not see each other's") {
  ThreadPool pool(2);
  const auto program = local<Level>(
      1, tupleN(parallel(ask<Level>()), parallel(local<Level>(2, ask<Level>())), parallel(ask<Level>())));
  for (int i = 0; i < 100; ++i) CHECK(program.blockingAwait(pool) == std::tuple<int, int, int>(1, 2, 1));
}

TEST_CASE("a finalizer sees the slots of its ensure and not those of the program that was stopped") {
  std::string seen;
  const auto broken = async<int>([](Callback<int>) {});
  const UnitContinuation<void> finalizer = ask<Name>().map([&](std::string name) { seen = std::move(name); });
  const auto program = local<Name>("outer", ensure(local<Name>("inner", broken), finalizer));
  CHECK_THROWS_AS(program.blockingAwait(), BrokenCallback);
  CHECK(seen == "outer");
}

TEST_CASE("the environment drops its values when the run has left them") {
  auto program = [] {
    return local<Held>(std::make_shared<Counted>(3),
                       ask<Held>().map([](auto held) { return held->value(); }));
  };
  CHECK(program().blockingAwait() == 3);
  CHECK(Counted::live() == 0);
}
