#include "tapestry/raii/semaphore.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/after.hpp"
#include "support/programs/fake_resource.hpp"
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
using test::outcomeText;
using testing::Scheduler;

namespace {

/// Runs that hold permits until they are told to let go, with a log of what they did.
class Holders {
 public:
  explicit Holders(std::size_t permits) : semaphore(permits) {}
  ~Holders() {
    while (holding() > 0) letGo();
  }

  /// Starts a run that holds so many, and gives them back at `letGo`.
  void come(const std::string& name, std::size_t count = 1, const StopToken& stop = {}) {
    const auto program = semaphore.permit(count).flatMap([this, name] {
      log_ += "+" + name + " ";
      return Do<void>::lift(holding_.program()).map([this, name] { log_ += "-" + name + " "; });
    });
    deliveries_.push_back(std::make_unique<Delivery<void>>());
    program.onComplete(deliveries_.back()->callback(), stop);
  }
  /// Lets the one go that has held its permits for longest.
  void letGo() { holding_.take()(); }

  std::size_t holding() const { return holding_.waiting(); }
  /// How the n-th to come ended. Precondition: it has.
  std::string ended(std::size_t n) const {
    CHECK(deliveries_.at(n)->count() == 1);
    return outcomeText(deliveries_.at(n)->outcome());
  }
  std::string takeLog() { return std::exchange(log_, ""); }

  Semaphore semaphore;

 private:
  Manual<void> holding_;
  std::vector<std::unique_ptr<Delivery<void>>> deliveries_;
  std::string log_;
};

}  // namespace

TEST_CASE("a permit is held until the end of the scope that took it") {
  const Semaphore semaphore(2);
  const auto inside = Do<std::size_t>::delay([semaphore] { return semaphore.available(); });
  const auto program = semaphore.permit().flatMap([=] { return inside; });
  CHECK(semaphore.available() == 2);
  CHECK(program.blockingAwait() == 1);
  CHECK(semaphore.available() == 2);
  CHECK(program.run().flatMap([=](std::size_t) { return inside; }).blockingAwait() == 2);
}

TEST_CASE("a permit is given back where the scope fails") {
  const Semaphore semaphore(1);
  const auto program = semaphore.permit().map([] { throw std::runtime_error("failed"); });
  for (int i = 0; i < 2; ++i) CHECK(errorOf([&] { program.blockingAwait(); }) == "failed");
  CHECK(semaphore.available() == 1);
}

TEST_CASE("a semaphore without permits, and requests that can never be granted, are errors") {
  CHECK(errorOf([] { Semaphore(0); }) ==
        "tapestry::Semaphore: there are no permits, got 0, expected at least 1");
  const Semaphore semaphore(3);
  CHECK_THROWS_AS((void)semaphore.permit(0), std::invalid_argument);
  CHECK_THROWS_AS((void)semaphore.withPermit(Do<int>::now(1), 4), std::invalid_argument);
  CHECK(errorOf([&] { (void)semaphore.permit(4); }) ==
        "tapestry::Semaphore::permit: no such number of permits is ever there, got 4, expected 1 to 3");
  CHECK(errorOf([&] {
          (void)semaphore.tryPermit(0);
        }).starts_with("tapestry::Semaphore::tryPermit: no such number"));
  const auto within = Do<void>::suspend([=] { return semaphore.permit(4); });
  CHECK_THROWS_AS(within.blockingAwait(), std::invalid_argument);
  CHECK(semaphore.permit(3).map([=] { return semaphore.available(); }).blockingAwait() == 0);
}

TEST_CASE("copies of a semaphore share its permits") {
  const Semaphore semaphore(2);
  const Semaphore copy = semaphore;
  CHECK(semaphore.permit().map([copy] { return copy.available(); }).blockingAwait() == 1);
  CHECK(copy.permits() == 2);
}

TEST_CASE("runs that wait for a permit are served in the order of coming") {
  Holders holders(2);
  for (const char* name : {"a", "b", "c", "d", "e"}) holders.come(name);
  CHECK(holders.takeLog() == "+a +b ");
  CHECK(holders.semaphore.available() == 0);
  holders.letGo();
  CHECK(holders.takeLog() == "-a +c ");
  holders.letGo();
  holders.letGo();
  CHECK(holders.takeLog() == "-b +d -c +e ");
  holders.letGo();
  holders.letGo();
  CHECK(holders.semaphore.available() == 2);
  for (std::size_t i = 0; i < 5; ++i) CHECK(holders.ended(i) == "value");
}

TEST_CASE("a run that wants many permits is not overtaken by a run that wants few") {
  Holders holders(3);
  holders.come("a");
  holders.come("b");
  holders.come("all", 3);
  holders.come("c");
  CHECK(holders.semaphore.available() == 1);
  CHECK(holders.takeLog() == "+a +b ");
  CHECK_FALSE(holders.semaphore.tryPermit().blockingAwait());
  holders.letGo();
  CHECK(holders.takeLog() == "-a ");
  holders.letGo();
  CHECK(holders.takeLog() == "-b +all ");
  holders.letGo();
  CHECK(holders.takeLog() == "-all +c ");
}

TEST_CASE("permits that are given back at once let in as many as they are enough for") {
  Holders holders(5);
  holders.come("all", 5);
  for (const char* name : {"a", "b", "c", "d"}) holders.come(name, 2);
  CHECK(holders.takeLog() == "+all ");
  holders.letGo();
  CHECK(holders.takeLog() == "-all +a +b ");
  CHECK(holders.semaphore.available() == 1);
}

TEST_CASE("a waiter that is cancelled leaves the queue and does not disturb the others") {
  Holders holders(1);
  const StopSource source;
  holders.come("a");
  holders.come("b");
  holders.come("cancelled", 1, source.token());
  holders.come("c");
  source.requestStop();
  CHECK(holders.ended(2) == "cancelled");
  for (int i = 0; i < 3; ++i) holders.letGo();
  CHECK(holders.takeLog() == "+a -a +b -b +c -c ");
  CHECK(holders.semaphore.available() == 1);
}

TEST_CASE("when the first of the queue is cancelled, waiters behind continue if there are enough permits") {
  Holders holders(3);
  const StopSource source;
  holders.come("a");
  holders.come("cancelled", 3, source.token());
  holders.come("b");
  holders.come("all", 3);
  holders.come("c");
  CHECK(holders.takeLog() == "+a ");
  source.requestStop();
  CHECK(holders.ended(1) == "cancelled");
  CHECK(holders.takeLog() == "+b ");
  CHECK(holders.semaphore.available() == 1);
  holders.letGo();
  holders.letGo();
  CHECK(holders.takeLog() == "-a -b +all ");
  holders.letGo();
  CHECK(holders.takeLog() == "-all +c ");
}

TEST_CASE("when the last of the queue is cancelled, later runs are served") {
  Holders holders(1);
  const StopSource source;
  holders.come("a");
  holders.come("cancelled", 1, source.token());
  source.requestStop();
  holders.come("b");
  holders.letGo();
  CHECK(holders.takeLog() == "+a -a +b ");
}

TEST_CASE("a request to stop that came before is seen instead of a permit") {
  Holders holders(1);
  const StopSource source;
  source.requestStop();
  holders.come("cancelled", 1, source.token());
  CHECK(holders.ended(0) == "cancelled");
  CHECK_THROWS_AS(holders.semaphore.permit().blockingAwait(source.token()), Cancelled);
  CHECK(holders.semaphore.available() == 1);
}

TEST_CASE("a permit that is granted just before a request to stop is given back") {
  const Semaphore semaphore(1);
  Manual<void> holding;
  Delivery<void> first;
  Delivery<void> second;
  bool reached = false;
  test::QueueExecutor executor;
  const StopSource source;
  semaphore.withPermit(Do<void>::lift(holding.program())).onComplete(first.callback());
  semaphore.permit()
      .flatMap([&reached] { return Do<void>::delay([&reached] { reached = true; }); })
      .onComplete(second.callback(), executor, source.token());
  executor.work();
  holding.take()();
  CHECK(executor.waiting() == 1);
  CHECK(semaphore.available() == 0);
  source.requestStop();
  CHECK(second.count() == 0);
  executor.work();
  CHECK(second.outcome().isCancelled());
  CHECK_FALSE(reached);
  CHECK(semaphore.available() == 1);
}

TEST_CASE("under a mask a request to stop does not end the wait for a permit") {
  const Semaphore semaphore(1);
  Manual<void> holding;
  Delivery<void> first;
  Delivery<int> second;
  const StopSource source;
  int reached = 0;
  semaphore.withPermit(Do<void>::lift(holding.program())).onComplete(first.callback());
  mask(semaphore.withPermit(Do<int>::delay([&reached] {
    return ++reached;
  }))).onComplete(second.callback(), source.token());
  source.requestStop();
  CHECK(second.count() == 0);
  holding.take()();
  CHECK(reached == 1);
  CHECK(second.count() == 1);
  CHECK(semaphore.available() == 1);
}

TEST_CASE("a waiter continues neither inside the release that let it in nor before that run's next wait") {
  const Semaphore semaphore(1);
  Manual<void> holding;
  std::string log;
  Delivery<void> first;
  Delivery<void> second;
  semaphore.withPermit(Do<void>::lift(holding.program()))
      .flatMap([&log] { return Do<void>::delay([&log] { log += "first, after its release; "; }); })
      .onComplete(first.callback());
  semaphore.permit().map([&log] { log += "second"; }).onComplete(second.callback());
  holding.take()();
  CHECK(log == "first, after its release; second");
}

TEST_CASE("a waiter continues on its own executor") {
  const Semaphore semaphore(1);
  Manual<void> holding;
  Delivery<void> first;
  Delivery<void> second;
  test::QueueExecutor executor;
  semaphore.withPermit(Do<void>::lift(holding.program())).onComplete(first.callback());
  semaphore.permit().onComplete(second.callback(), executor);
  CHECK(executor.work() == 1);
  holding.take()();
  CHECK(second.count() == 0);
  CHECK(executor.work() == 1);
  CHECK(second.outcome().hasValue());
}

TEST_CASE("where a waiter's executor refuses it, the waiter fails, and its permit goes to the next") {
  Holders holders(1);
  test::QueueExecutor executor;
  Delivery<std::string> refused;
  holders.come("a");
  holders.semaphore.permit()
      .attempt()
      .map([](const Try<void>& result) { return test::errorText(result.error()); })
      .onComplete(refused.callback(), executor);
  executor.work();
  holders.come("b");
  executor.stop();
  holders.letGo();
  CHECK(refused.outcome().get() == ExecutorStopped().what());
  CHECK(holders.takeLog() == "+a -a +b ");
}

TEST_CASE("tryPermit takes a permit only if one is there, until the end of the scope") {
  const Semaphore semaphore(2);
  const auto attempt = semaphore.tryPermit(2).map(
      [semaphore](bool taken) { return taken ? 10 + static_cast<int>(semaphore.available()) : -1; });
  CHECK(attempt.blockingAwait() == 10);
  CHECK(semaphore.available() == 2);
  CHECK(semaphore.permit().flatMap([attempt] { return attempt; }).blockingAwait() == -1);
  CHECK(semaphore.available() == 2);
}

TEST_CASE("withPermit holds the permit until all is released that the program has acquired") {
  FakeResources fake;
  const Semaphore semaphore(1);
  const auto releasing = Do<void>::delay([&] {
    CHECK(semaphore.available() == 0);
    fake.note("releasing");
  });
  const auto program = semaphore.withPermit(fake.make("a", {.releasing = releasing}));
  CHECK(program.map([semaphore](const std::string& a) { return a + std::to_string(semaphore.available()); })
            .blockingAwait() == "a1");
  CHECK(fake.log() == "+a releasing -a");
  const auto failing = semaphore.withPermit(fake.failingAcquire("b"));
  const auto retried = retry(failing, {.attempts = 3, .delay = 0ms});
  CHECK(errorOf([&] { retried.blockingAwait(); }) == "acquire b");
  CHECK(semaphore.available() == 1);
}

TEST_CASE("each run of a program takes a separate permit") {
  const Semaphore semaphore(3);
  const auto permit = semaphore.permit();
  const auto program = permit.flatMap([=] { return permit; }).flatMap([=] { return permit; }).map([=] {
    return semaphore.available();
  });
  for (int i = 0; i < 3; ++i) CHECK(program.blockingAwait() == 0);
  CHECK(semaphore.available() == 3);
}

TEST_CASE("a permit that a coroutine awaits is held until the end of the block") {
  const Semaphore semaphore(1);
  const auto program = direct<Do>([=]() -> Coroutine<std::size_t> {
    const auto permit = semaphore.permit();
    co_await permit;
    co_return semaphore.available();
  });
  CHECK(program.blockingAwait() == 0);
  CHECK(semaphore.available() == 1);
}

TEST_CASE("a semaphore may have very many permits and very many waiters") {
  constexpr std::size_t count = 1000;
  Holders holders(count);
  holders.come("all", count);
  for (std::size_t i = 0; i < count; ++i) holders.come("");
  CHECK(holders.holding() == 1);
  holders.letGo();
  CHECK(holders.holding() == count);
  CHECK(holders.semaphore.available() == 0);
  for (std::size_t i = 0; i < count; ++i) holders.letGo();
  CHECK(holders.semaphore.available() == count);
  const Semaphore most(static_cast<std::size_t>(-1));
  CHECK(most.permit(most.permits()).map([=] { return most.available(); }).blockingAwait() == 0);
  CHECK(most.available() == most.permits());
}

TEST_CASE("dumpRuns lists the runs that wait for a permit") {
  const Semaphore semaphore(1);
  Manual<void> holding;
  Delivery<void> first;
  Delivery<void> second;
  semaphore.withPermit(Do<void>::lift(holding.program())).onComplete(first.callback());
  semaphore.permit().named("second").onComplete(second.callback());
  std::ostringstream runs;
  dumpRuns(runs);
  CHECK(runs.str().find(std::string("waits for a permit (") + __FILE__ + ":") != std::string::npos);
  holding.take()();
  CHECK(second.count() == 1);
}

TEST_CASE("in any order of steps, no more are inside than there are permits, and all get in") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Scheduler scheduler(seed);
    const Semaphore semaphore(3);
    std::size_t inside = 0;
    std::size_t most = 0;
    const auto visit = [&](int i) {
      const std::size_t count = 1 + static_cast<std::size_t>(i) % 3;
      return semaphore.withPermit(Do<void>::delay([&, count] {
                                    inside += count;
                                    most = std::max(most, inside);
                                  }).flatMap([] {
                                      return after(1ms);
                                    }).map([&, count, i] {
        inside -= count;
        return i;
      }),
                                  count);
    };
    const auto all =
        parTraverse(std::views::iota(0, 12), 12, visit).map([](const auto& visits) { return visits.size(); });
    CHECK(scheduler.run(all).get() == 12);
    CHECK(most == 3);
    CHECK(semaphore.available() == 3);
  }
}

TEST_CASE("a request to stop before any step of any order loses no permit") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::optional<Semaphore> semaphore;
    std::size_t inside = 0;
    const auto make = [&] {
      semaphore.emplace(2);
      inside = 0;
      const auto visit = [&, all = *semaphore](int i) {
        const std::size_t count = i % 3 == 0 ? 2 : 1;
        const auto hold = resource(Do<int>::delay([&inside, i] {
                                     ++inside;
                                     return i;
                                   }),
                                   [&inside](int) { --inside; })
                              .flatMap([](int n) { return after(n * 1ms); });
        return i % 2 == 0 ? all.withPermit(hold, count)
                          : all.permit(count).flatMap([hold] { return hold; }).run();
      };
      return parTraverse(std::views::iota(0, 6), 6, visit);
    };
    const std::size_t runs = testing::cancelAtEveryStep(
        make,
        [&](const Outcome<void>& outcome, std::size_t step) {
          INFO("with the seed " << seed << ", asked to stop before step " << step);
          CHECK_FALSE(outcome.hasError());
          CHECK(semaphore->available() == 2);
          CHECK(inside == 0);
        },
        seed);
    CHECK(runs > 10);
  }
}
