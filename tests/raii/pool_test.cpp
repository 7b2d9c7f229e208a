#include "tapestry/raii/pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>

#include "support/programs/after.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/pool_users.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/retry.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::after;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::Manual;
using test::Name;
using test::Names;
using test::Numbered;
using test::OpenPool;
using test::outcomeText;
using test::User;
using testing::Scheduler;

namespace {

Do<std::string> nameOf(const Names& pool) {
  return pool.use().map([](const Name& handle) { return *handle; }).run();
}

}  // namespace

TEST_CASE("a pool makes an instance when it is needed, uses it again, and releases it at its end") {
  Numbered numbered;
  const auto program = numbered.pool(3).flatMap([&](const Names& pool) {
    numbered.fake.note("pool");
    return nameOf(pool).flatMap([&, pool](const std::string& first) {
      numbered.fake.note("used");
      return nameOf(pool).map([first](const std::string& second) { return first + second; });
    });
  });
  CHECK(numbered.fake.log().empty());
  CHECK(program.blockingAwait() == "11");
  CHECK(numbered.fake.log() == "pool +1 used -1");
}

TEST_CASE("each run of a scoped pool has a separate pool") {
  Numbered numbered;
  const auto program = numbered.pool(1).flatMap(nameOf);
  CHECK(program.blockingAwait() == "1");
  CHECK(program.blockingAwait() == "2");
  CHECK(numbered.fake.log() == "+1 -1 +2 -2");
}

TEST_CASE("a pool of size 0 is an error before anything waits for it") {
  CHECK_THROWS_AS((void)Pool<int>::scoped(0, Do<int>::now(1)), std::invalid_argument);
  CHECK(errorOf([] { (void)Pool<int>::scoped(0, Do<int>::now(1), [](int) { return true; }); }) ==
        "tapestry::Pool: there is no place in it, got 0, expected a size of 1 or more");
}

TEST_CASE("users get instances first come first served, and never more than there are places") {
  Numbered numbered;
  OpenPool pool(numbered.pool(2));
  CHECK(pool->size() == 2);
  User a(pool);
  User b(pool);
  User c(pool);
  User d(pool);
  CHECK(a.instance + b.instance == "12");
  CHECK(c.instance + d.instance == "nonenone");
  b.giveBack();
  CHECK(c.instance + d.instance == "2none");
  a.giveBack();
  CHECK(d.instance == "1");
  c.giveBack();
  d.giveBack();
  pool.end();
  CHECK(pool.ended() == "value");
  CHECK(numbered.fake.open() == 0);
}

TEST_CASE("the instance that has been idle for longest is used next") {
  Numbered numbered;
  OpenPool pool(numbered.pool(3));
  std::array<std::optional<User>, 3> users;
  for (auto& user : users) user.emplace(pool);
  for (const std::size_t i : {1U, 0U, 2U}) users.at(i)->giveBack();
  std::string order;
  for (int i = 0; i < 7; ++i) order += nameOf(*pool).blockingAwait();
  CHECK(order == "2132132");
  pool.end();
}

TEST_CASE("ten clients of ten uses each, in parallel, use each of three instances 30 to 40 times") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Scheduler scheduler(seed);
    std::array<int, 3> uses{};
    std::array<int, 3> closed{};
    std::size_t made = 0;
    const auto factory = resource(Do<std::size_t>::delay([&] { return made++; }),
                                  [&](std::size_t instance) { ++closed.at(instance); });
    const auto program = Pool<std::size_t>::scoped(3, factory).flatMap([&](const Pool<std::size_t>& pool) {
      const auto use = pool.use().flatMap([&](const Handle<std::size_t>& handle) {
        ++uses.at(*handle);
        return after(1ms);
      });
      const auto client = [use](int) {
        return parTraverse(std::views::iota(0, 10), 1, [use](int) { return use.run(); });
      };
      return parTraverse(std::views::iota(0, 10), 10, client);
    });
    CHECK(scheduler.run(program).hasValue());
    CHECK(made == 3);
    for (const int count : uses) CHECK((count >= 30 && count <= 40));
    CHECK(closed == std::array{1, 1, 1});
  }
}

TEST_CASE("instances may be of a type that can only be moved, and a handle is of no use afterwards") {
  const auto program =
      Pool<test::MoveOnly>::scoped(1, Do<test::MoveOnly>::delay([] { return test::MoveOnly(7); }))
          .flatMap([](const Pool<test::MoveOnly>& pool) {
            const auto escaping = pool.use().run();
            return escaping.flatMap([pool](const Handle<test::MoveOnly>& earlier) {
              return pool.use().map([earlier](const Handle<test::MoveOnly>& now) {
                CHECK(test::Counted::live() == 1);
                CHECK_THROWS_AS(earlier->value(), std::logic_error);
                return now->value();
              });
            });
          });
  CHECK(program.blockingAwait() == 7);
  CHECK(test::Counted::live() == 0);
}

TEST_CASE("instances may be of a type that cannot be assigned") {
  struct Fixed {
    const int value;
  };
  const auto program =
      Pool<Fixed>::scoped(1, Do<Fixed>::delay([] { return Fixed{7}; })).flatMap([](const Pool<Fixed>& pool) {
        return pool.use().map([](const Handle<Fixed>& used) { return used->value; });
      });
  CHECK(program.blockingAwait() == 7);
}

TEST_CASE("an instance changes for its next user as its last user left it") {
  const auto program = Pool<int>::scoped(1, Do<int>::now(1)).flatMap([](const Pool<int>& pool) {
    const auto increment = pool.use().map([](const Handle<int>& handle) { return ++*handle; }).run();
    return tuple2(increment, increment);
  });
  CHECK(program.blockingAwait() == std::tuple(2, 3));
}

TEST_CASE("a factory that fails gives its error to that user, and its place to the next") {
  Numbered numbered;
  OpenPool pool(numbered.pool(1));
  numbered.behaviour.failAcquire = true;
  const auto use = nameOf(*pool);
  CHECK(errorOf([&] { use.blockingAwait(); }) == "acquire 1");
  CHECK(errorOf([&] { use.blockingAwait(); }) == "acquire 2");
  numbered.behaviour.failAcquire = false;
  CHECK(use.blockingAwait() == "3");
  pool.end();
  CHECK(pool.ended() == "value");
  CHECK(numbered.fake.log() == "+3 -3");
}

TEST_CASE("a factory that fails after it has acquired something leaves nothing open and no run waiting") {
  FakeResources fake;
  Manual<void> making;
  bool fails = true;
  const auto factory = fake.failingRelease("a").flatMap([&](const std::string& a) {
    return Do<void>::lift(making.program()).map([&fails, a] {
      if (std::exchange(fails, false)) throw std::runtime_error("not now");
      return a;
    });
  });
  OpenPool pool(Names::scoped(1, factory));
  User first(pool);
  User second(pool);
  making.take()();
  CHECK(first.ended() == "[not now, release a]");
  CHECK(fake.log() == "+a -a +a");
  making.take()();
  CHECK(second.instance == "a");
  second.giveBack();
  pool.end();
  CHECK(pool.ended() == "release a");
}

TEST_CASE("where a use fails within one scope, another use in that scope finds the place free") {
  Numbered numbered;
  numbered.behaviour.failAcquire = true;
  const auto program = numbered.pool(1).flatMap([&](const Names& pool) {
    return pool.use().handleError([&numbered, pool](const std::exception_ptr&) {
      numbered.behaviour.failAcquire = false;
      return pool.use();
    });
  });
  CHECK(program.map([](const Name& handle) { return *handle; }).blockingAwait() == "2");
}

TEST_CASE("a user that fails gives its instance back") {
  Numbered numbered;
  OpenPool pool(numbered.pool(1));
  const auto failing = pool->use().map([](const Name&) { throw std::runtime_error("user"); });
  for (int i = 0; i < 3; ++i) CHECK(errorOf([&] { failing.blockingAwait(); }) == "user");
  pool.end();
  CHECK(numbered.fake.log() == "+1 -1");
}

TEST_CASE(
    "an instance that is found unhealthy is released before its place is free, and a fresh one is made") {
  Numbered numbered;
  std::string checked;
  OpenPool pool(Names::scoped(1, numbered.factory(), [&checked](const std::string& name) {
    checked += name;
    return name != "2";
  }));
  const auto use = nameOf(*pool);
  CHECK(use.blockingAwait() == "1");
  numbered.behaviour.failAcquire = false;
  CHECK(numbered.fake.log() == "+1");
  pool.end();
  CHECK(checked == "1");

  OpenPool other(Names::scoped(1, numbered.factory(), [](const std::string&) { return false; }));
  User first(other);
  User second(other);
  first.giveBack();
  CHECK(second.instance == "3");
  second.giveBack();
  CHECK(numbered.fake.log() == "+1 -1 +2 -2 +3 -3");
  other.end();
  CHECK(other.ended() == "value");
}

TEST_CASE("a health check may be a program, and no run gets the instance or its place meanwhile") {
  Numbered numbered;
  Manual<bool> checking;
  OpenPool pool(Names::scoped(1, numbered.factory(),
                              [&checking](std::string&) { return Do<bool>::lift(checking.program()); }));
  User first(pool);
  User second(pool);
  first.giveBack();
  CHECK(first.ended() == "not ended");
  CHECK(second.instance == "none");
  checking.take()(true);
  CHECK(first.ended() == "value");
  CHECK(second.instance == "1");
  User third(pool);
  second.giveBack();
  checking.take()(false);
  CHECK(third.instance == "2");
  third.giveBack();
  checking.take()(true);
  pool.end();
  CHECK(numbered.fake.log() == "+1 -1 +2 -2");
}

TEST_CASE("an instance whose health check is cancelled from within is released, and the use fails") {
  Numbered numbered;
  OpenPool pool(Names::scoped(1, numbered.factory(), [](const std::string&) -> Do<bool> {
    return direct<Do>([]() -> Coroutine<bool> {
      co_await Do<void>::now();
      throw Cancelled();
    });
  }));
  CHECK_THROWS_AS(nameOf(*pool).blockingAwait(), ReleaseCancelled);
  CHECK(numbered.fake.log() == "+1 -1");
  pool.end();
  CHECK(numbered.fake.open() == 0);
}

TEST_CASE("a health check that cancels itself has failed, also if the release of the instance fails") {
  Numbered numbered;
  numbered.behaviour.failRelease = true;
  OpenPool pool(Names::scoped(1, numbered.factory(), [](const std::string&) -> Do<bool> {
    return direct<Do>([]() -> Coroutine<bool> {
      co_await Do<void>::now();
      throw Cancelled();
    });
  }));
  CHECK(errorOf([&] { nameOf(*pool).blockingAwait(); }) ==
        std::string("[") + ReleaseCancelled().what() + ", release 1]");
  pool.end();
}

TEST_CASE(
    "a health check that throws Cancelled fails the use with ReleaseCancelled, and does not cancel it") {
  Numbered numbered;
  const auto throws = [](const std::string&) -> bool { throw Cancelled(); };
  OpenPool pool(Names::scoped(1, numbered.factory(), throws));
  CHECK_THROWS_AS(nameOf(*pool).blockingAwait(), ReleaseCancelled);
  CHECK(numbered.fake.log() == "+1 -1");
  pool.end();
  CHECK(pool.ended() == "value");
}

TEST_CASE("a health check that fails counts as unhealthy, and its error belongs to the user's scope") {
  Numbered numbered;
  numbered.behaviour.failRelease = true;
  const auto throws = [](const std::string&) -> bool { throw std::runtime_error("check"); };
  OpenPool pool(Names::scoped(1, numbered.factory(), throws));
  CHECK(errorOf([&] { nameOf(*pool).blockingAwait(); }) == "[check, release 1]");
  const auto failing = pool->use().map([](const Name&) { throw std::runtime_error("user"); });
  CHECK(errorOf([&] { failing.blockingAwait(); }) == "[user, check, release 2]");
  pool.end();
  CHECK(pool.ended() == "value");
  CHECK(numbered.fake.log() == "+1 -1 +2 -2");

  const auto breaks = [](std::string&) { return Do<bool>::async([](const auto&) {}); };
  OpenPool broken(Names::scoped(1, numbered.factory(), breaks));
  CHECK(errorOf([&] { nameOf(*broken).blockingAwait(); }) ==
        std::string("[") + BrokenCallback().what() + ", release 3]");
  broken.end();
  CHECK(numbered.fake.open() == 0);
}

TEST_CASE("a user that is cancelled while it waits does not disturb the others") {
  Numbered numbered;
  OpenPool pool(numbered.pool(1));
  User a(pool);
  const StopSource source;
  User cancelled(pool, source.token());
  User b(pool);
  source.requestStop();
  CHECK(cancelled.ended() == "cancelled");
  a.giveBack();
  CHECK(b.instance == "1");
  b.giveBack();
  pool.end();
  CHECK(numbered.fake.log() == "+1 -1");
}

TEST_CASE(
    "a user that is asked to stop while its instance is made leaves at once, and the next has the instance") {
  Numbered numbered;
  Manual<void> making;
  numbered.behaviour.acquiring = Do<void>::lift(making.program()).flatMap([] { return Do<void>::now(); });
  OpenPool pool(numbered.pool(1));
  const StopSource source;
  User stopped(pool, source.token());
  source.requestStop();
  CHECK(stopped.ended() == "cancelled");
  User next(pool);
  CHECK(next.ended() == "not ended");
  making.take()();
  CHECK(next.instance == "1");
  next.giveBack();
  pool.end();
  CHECK(numbered.fake.log() == "+1 -1");
}

TEST_CASE("an instance whose user has left is made for runs that wait for a place, until the last leaves") {
  for (const bool othersLeave : {false, true}) {
    Numbered numbered;
    Manual<void> making;
    const auto factory = Do<void>::lift(making.program()).flatMap([&] { return numbered.factory(); });
    OpenPool pool(Names::scoped(1, factory));
    const StopSource first;
    const StopSource second;
    User opener(pool, first.token());
    User waiter(pool, second.token());
    first.requestStop();
    CHECK(opener.ended() == "cancelled");
    CHECK(waiter.ended() == "not ended");
    if (othersLeave) {
      second.requestStop();
      CHECK(waiter.ended() == "cancelled");
      User next(pool);
      CHECK(making.waiting() == 2);
      making.take()();
      CHECK(next.ended() == "not ended");
      making.take()();
      CHECK(next.instance == "1");
      next.giveBack();
    } else {
      making.take()();
      CHECK(waiter.instance == "1");
      waiter.giveBack();
    }
    pool.end();
    CHECK(pool.ended() == "value");
    CHECK(numbered.fake.log() == "+1 -1");
  }
}

TEST_CASE("where the last waiting run is served by another user, an abandoned making is asked to stop") {
  Numbered numbered;
  Manual<void> making;
  int stopped = 0;
  const auto stops = UnitContinuation<Errors>(delay([&stopped] {
    ++stopped;
    return Errors();
  }));
  const auto factory =
      Do<void>::lift(onStop(making.program(), stops)).flatMap([&] { return numbered.factory(); });
  OpenPool pool(Names::scoped(2, factory));
  User holder(pool);
  making.take()();
  const StopSource source;
  User leaves(pool, source.token());
  User waiter(pool);
  source.requestStop();
  CHECK(leaves.ended() == "cancelled");
  CHECK(stopped == 0);
  holder.giveBack();
  CHECK(waiter.instance == "1");
  CHECK(stopped == 1);
  waiter.giveBack();
  pool.end();
  CHECK(pool.ended() == "value");
  CHECK(numbered.fake.log() == "+1 -1");
}

TEST_CASE("a shutdown asks the making of an instance to stop that no run waits for") {
  Numbered numbered;
  Manual<void> making;
  const auto factory = Do<void>::lift(making.program()).flatMap([&] { return numbered.factory(); });
  OpenPool pool(Names::scoped(1, factory));
  const StopSource first;
  User opener(pool, first.token());
  User waiter(pool);
  first.requestStop();
  pool.end();
  CHECK(making.waiting() == 2);
  making.take();
  making.take()();
  CHECK(waiter.instance == "1");
  waiter.giveBack();
  CHECK(pool.ended() == "value");
  CHECK(numbered.fake.log() == "+1 -1");
}

TEST_CASE("where the executor of a waiting user refuses it, the user fails and the place goes to the next") {
  Numbered numbered;
  OpenPool pool(numbered.pool(1));
  test::QueueExecutor executor;
  User a(pool);
  Delivery<std::string> refused;
  nameOf(*pool).onComplete(refused.callback(), executor);
  executor.work();
  executor.stop();
  User b(pool);
  a.giveBack();
  CHECK(outcomeText(refused.outcome()) == ExecutorStopped().what());
  CHECK(b.instance == "1");
  b.giveBack();
  pool.end();
  CHECK(pool.ended() == "value");
}

TEST_CASE("a pooled instance that a coroutine awaits is its own until the end of the block") {
  Numbered numbered;
  const auto program = direct<Do>([&numbered]() -> Coroutine<std::string> {
    const auto pool = co_await numbered.pool(2);
    const auto use = pool.use();
    const auto first = co_await use;
    const auto second = co_await use;
    co_return *first + *second;
  });
  CHECK(program.blockingAwait() == "12");
  CHECK(numbered.fake.open() == 0);
}

TEST_CASE("in any order of steps, the limit of open instances holds, and all are released once") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Scheduler scheduler(seed);
    Numbered numbered;
    std::size_t most = 0;
    int checks = 0;
    const auto isHealthy = [&checks](const std::string&) {
      return after(1ms).map([&checks] { return ++checks % 3 != 0; });
    };
    const auto program = Names::scoped(2, numbered.factory(), isHealthy).flatMap([&](const Names& pool) {
      const auto visit = [&, pool](int i) {
        const auto use = pool.use()
                             .flatMap([&, i](const Name& handle) {
                               most = std::max(most, numbered.fake.open());
                               return after(i % 3 * 1ms).map([handle] { return handle->size(); });
                             })
                             .run();
        const auto refused = [](const std::exception_ptr&) { return Do<std::size_t>::now(0); };
        return i == 6 ? pool.shutdown().map([] { return std::size_t{0}; }) : use.handleError(refused);
      };
      return parTraverse(std::views::iota(0, 12), 12, visit).map([](const auto& visits) {
        return visits.size();
      });
    });
    INFO("with the seed " << seed << ": " << numbered.fake.log());
    CHECK(scheduler.run(program).get() == 12);
    CHECK(most <= 2);
    CHECK(numbered.fake.open() == 0);
    CHECK(numbered.fake.faults().empty());
  }
}

TEST_CASE("a request to stop before any step of any order leaves no instance open and hangs no pool") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::optional<Numbered> numbered;
    const auto make = [&] {
      numbered.emplace();
      numbered->behaviour.acquiring = after(1ms);
      numbered->behaviour.releasing = after(1ms);
      const auto isHealthy = [](const std::string& name) { return name != "1"; };
      return Names::scoped(2, numbered->factory(), isHealthy).flatMap([](const Names& pool) {
        const auto visit = [pool](int i) {
          return pool.use().flatMap([i](const Name&) { return after(i * 1ms); }).run();
        };
        return parTraverse(std::views::iota(0, 5), 5, visit);
      });
    };
    const std::size_t runs = testing::cancelAtEveryStep(
        make,
        [&](const Outcome<void>& outcome, std::size_t step) {
          INFO("with the seed " << seed << ", asked to stop before step " << step << ": "
                                << numbered->fake.log());
          CHECK_FALSE(outcome.hasError());
          CHECK(numbered->fake.open() == 0);
          CHECK(numbered->fake.faults().empty());
        },
        seed);
    CHECK(runs > 10);
  }
}
