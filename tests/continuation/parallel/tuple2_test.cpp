#include "tapestry/continuation/parallel/tuple2.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <barrier>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/error_text.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::errorText;
using test::isError;
using test::Large;
using test::Manual;
using test::MoveOnly;

namespace {

auto broken() {
  return async<int>([](Callback<int>) {});
}

/// Sees a request to stop, and never ends otherwise.
auto endless() {
  return tailRecM(
      0, [](int) { return delay([] { return std::this_thread::yield(), Step<int, int>::next(0); }); });
}

/// A value that must not be dropped.
struct Lent {
  UnitContinuation<Errors> abandon() {
    return delay([&to = log] { return to += "back", Errors(); });
  }
  Errors errors() const { return Errors(std::make_exception_ptr(std::runtime_error("lent"))); }
  std::string& log;
};

}  // namespace

TEST_CASE("sequential tuple2 runs the first and then the second") {
  Manual<int> first;
  Manual<std::string> second;
  Delivery<std::tuple<int, std::string>> delivery;
  tuple2(first.program(), second.program()).onComplete(delivery.callback());
  CHECK(first.waiting() == 1);
  CHECK(second.waiting() == 0);
  first.take()(1);
  CHECK(second.waiting() == 1);
  CHECK(delivery.count() == 0);
  second.take()("two");
  CHECK(delivery.outcome().get() == std::tuple<int, std::string>(1, "two"));
}

TEST_CASE("sequential tuple2 does not begin the second when the first is stopped") {
  int calls = 0;
  CHECK_THROWS_AS(tuple2(broken(), delay([&] { ++calls; })).blockingAwait(), BrokenCallback);
  CHECK(calls == 0);
}

TEST_CASE("sequential tuple2 sees a request to stop between its parts") {
  const StopSource source;
  int calls = 0;
  const auto program = tuple2(delay([&] { return source.requestStop(), Large(1); }), delay([&] { ++calls; }));
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(calls == 0);
  CHECK(Counted::live() == 0);
}

TEST_CASE("sequential tuple2 destroys the first value when the second is stopped") {
  CHECK_THROWS_AS(tuple2(delay([] { return Large(1); }), broken()).blockingAwait(), BrokenCallback);
  CHECK(Counted::live() == 0);
}

TEST_CASE("sequential tuple2 finalizes a first value that must not be dropped when the second is stopped") {
  std::string log;
  Delivery<std::tuple<Lent, int>> delivery;
  tuple2(delay([&] { return Lent{log}; }), broken()).onComplete(delivery.callback());
  CHECK(log == "back");
  CHECK(errorText(delivery.outcome().error()) ==
        "[lent, tapestry::async: the callback was destroyed without being called]");
}

TEST_CASE("parallel tuple2 finalizes a value that must not be dropped when the other is stopped") {
  std::string log;
  Delivery<std::tuple<Lent, int>> delivery;
  tuple2(parallel(delay([&] { return Lent{log}; })), parallel(broken())).onComplete(delivery.callback());
  CHECK(log == "back");
  CHECK(errorText(delivery.outcome().error()) ==
        "[lent, tapestry::async: the callback was destroyed without being called]");
}

TEST_CASE("both kinds of tuple2 carry void as a unit and move what cannot be copied") {
  const auto made = [] { return delay([] { return MoveOnly(3); }); };
  CHECK(std::get<1>(tuple2(now(), made()).blockingAwait()).value() == 3);
  CHECK(std::get<0>(tuple2(parallel(made()), parallel(now())).blockingAwait()).value() == 3);
  CHECK(tuple2(parallel(now()), parallel(now())).blockingAwait() == std::tuple(Unit{}, Unit{}));
  CHECK(Counted::live() == 0);
}

TEST_CASE("nothing of a parallel tuple2 runs when it is built") {
  int calls = 0;
  {
    const UnitContinuation<std::tuple<int, int>> program =
        tuple2(parallel(delay([&] { return ++calls; })), parallel(delay([&] { return ++calls; })));
    CHECK(calls == 0);
    CHECK(program.blockingAwait() == std::tuple(1, 2));
    CHECK(program.blockingAwait() == std::tuple(3, 4));
  }
  CHECK(calls == 4);
}

TEST_CASE("parallel tuple2 begins both and completes once after both") {
  for (const bool firstFirst : {true, false}) {
    Manual<int> first;
    Manual<int> second;
    Delivery<int> delivery;
    int combined = 0;
    tuple2(parallel(first.program()), parallel(second.program()))
        .map(
            [&](std::tuple<int, int> both) { return ++combined, std::get<0>(both) * 10 + std::get<1>(both); })
        .onComplete(delivery.callback());
    REQUIRE(first.waiting() == 1);
    REQUIRE(second.waiting() == 1);
    auto one = first.take();
    auto two = second.take();
    firstFirst ? one(1) : two(2);
    CHECK(combined == 0);
    CHECK(delivery.count() == 0);
    firstFirst ? two(2) : one(1);
    CHECK(combined == 1);
    CHECK(delivery.count() == 1);
    CHECK(delivery.outcome().get() == 12);
  }
}

TEST_CASE("an unshared parallel tuple2 runs in the order of its sequential twin") {
  std::string log;
  const auto note = [&](char c) { return delay([&log, c] { log += c; }); };
  tuple2(parallel(tuple2(parallel(note('a')), parallel(note('b')))),
         parallel(tuple2(parallel(note('c')), parallel(note('d')))))
      .blockingAwait();
  CHECK(log == "abcd");
}

TEST_CASE("tupleN takes any number of programs") {
  CHECK(tupleN().blockingAwait() == std::tuple<>());
  CHECK(tupleN(parallel(now(1))).blockingAwait() == std::tuple(1));
  CHECK(tupleN(parallel(now(1)), parallel(now('b')), parallel(now())).blockingAwait() ==
        std::tuple(1, 'b', Unit{}));
  ThreadPool pool(2);
  const auto eight = tupleN(parallel(now(1)), parallel(now(2)), parallel(now(3)), parallel(now(4)),
                            parallel(now(5)), parallel(now(6)), parallel(now(7)), parallel(now(8)));
  for (int i = 0; i < 100; ++i) CHECK(eight.blockingAwait(pool) == std::tuple(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST_CASE("a stopped branch stops its sibling and the whole waits for it") {
  Manual<int> first;
  Manual<int> second;
  Delivery<int> delivery;
  int steps = 0;
  tuple2(parallel(first.program()), parallel(second.deaf().flatMap([&](int x) { return ++steps, now(x); })))
      .map([](std::tuple<int, int>) { return 0; })
      .onComplete(delivery.callback());
  { const auto dropped = first.take(); }
  CHECK(delivery.count() == 0);
  second.take()(1);
  CHECK(delivery.count() == 1);
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
  CHECK(steps == 0);
}

TEST_CASE("a stop of a branch reaches the running program of its sibling, with and without a listener") {
  for (const bool listens : {false, true}) {
    CAPTURE(listens);
    const StopSource source;
    Manual<int> inner;
    Manual<int> second;
    Delivery<int> delivery;
    int steps = 0;
    const auto waiting =
        listens ? UnitContinuation<int>(inner.program()) : UnitContinuation<int>(inner.deaf());
    const auto last = waiting.flatMap([&](int x) { return ++steps, now(x); });
    const auto nested = tuple2(parallel(now(0)), parallel(last)).map([](std::tuple<int, int>) { return 0; });
    tuple2(parallel(nested), parallel(second.program()))
        .map([](std::tuple<int, int>) { return 0; })
        .onComplete(delivery.callback(), source.token());
    { const auto dropped = second.take(); }
    CHECK(delivery.count() == (listens ? 1 : 0));
    inner.take()(1);
    CHECK(delivery.count() == 1);
    CHECK(isError<BrokenCallback>(delivery.outcome().error()));
    CHECK(steps == 0);
  }
}

TEST_CASE("a branch that was not begun before its sibling was stopped never is") {
  int calls = 0;
  CHECK_THROWS_AS(tuple2(parallel(broken()), parallel(delay([&] { ++calls; }))).blockingAwait(),
                  BrokenCallback);
  CHECK(calls == 0);
}

TEST_CASE("a branch that never ends by itself is stopped by its failing sibling on a pool of any size") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    ThreadPool pool(threads);
    std::atomic<bool> began{false};
    const auto loop = delay([&] { began = true; }).flatMap([] { return endless(); });
    const auto failing = delay([&] {
                           while (!began) std::this_thread::yield();
                         }).flatMap([] { return broken(); });
    CHECK_THROWS_AS(tuple2(parallel(failing), parallel(loop)).blockingAwait(pool), BrokenCallback);
  }
}

TEST_CASE("the errors of all branches come in the order of the arguments") {
  Manual<int> manual;
  Delivery<std::tuple<int, int, int>> delivery;
  const auto failing = [&](const std::exception_ptr& error) {
    return onStop(mask(manual.program()), UnitContinuation<Errors>(now(Errors(error))));
  };
  const auto a = std::make_exception_ptr(std::runtime_error("a"));
  const auto c = std::make_exception_ptr(std::runtime_error("c"));
  tupleN(parallel(failing(a)), parallel(now(1)), parallel(failing(c))).onComplete(delivery.callback());
  REQUIRE(manual.waiting() == 2);
  {
    const auto first = manual.take();
    const auto third = manual.take();
    // destroyed in reverse: the third branch fails before the first
  }
  REQUIRE(isError<MultipleException>(delivery.outcome().error()));
  try {
    std::rethrow_exception(delivery.outcome().error());
  } catch (const MultipleException& several) {
    REQUIRE(several.errors().size() == 4);
    CHECK(isError<BrokenCallback>(several.errors()[0]));
    CHECK(several.errors()[1] == a);
    CHECK(isError<BrokenCallback>(several.errors()[2]));
    CHECK(several.errors()[3] == c);
  }
}

TEST_CASE("a parallel tuple2 whose run is asked to stop ends cancelled after both branches") {
  const StopSource source;
  Manual<int> manual;
  Delivery<std::tuple<int, int>> delivery;
  const auto waiting = manual.deaf().flatMap([](int x) { return now(x); });
  tuple2(parallel(waiting), parallel(waiting)).onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()(1);
  CHECK(delivery.count() == 0);
  manual.take()(2);
  CHECK(delivery.count() == 1);
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("a parallel tuple2 that begins after the request runs no branch") {
  const StopSource source;
  source.requestStop();
  int calls = 0;
  const auto branch = delay([&] { ++calls; });
  CHECK_THROWS_AS(tuple2(parallel(branch), parallel(branch)).blockingAwait(source.token()), Cancelled);
  CHECK(calls == 0);
}

TEST_CASE("values of branches are destroyed when a sibling is stopped") {
  const auto program = tuple2(parallel(delay([] { return Large(1); })), parallel(broken()));
  CHECK_THROWS_AS(program.blockingAwait(), BrokenCallback);
  CHECK(Counted::live() == 0);
}

TEST_CASE("branches that wait for each other overlap on a pool") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    ThreadPool pool(threads);
    std::barrier meeting(2);
    const auto meet = delay([&] { meeting.arrive_and_wait(); });
    tuple2(parallel(meet), parallel(meet)).blockingAwait(pool);
    CHECK(pool.size() == threads);
  }
}

TEST_CASE("branches of a run that is started on a pool overlap on its threads") {
  ThreadPool pool(3);
  std::barrier meeting(3);
  const auto meet = delay([&] { return meeting.arrive_and_wait(), std::this_thread::get_id(); });
  Delivery<bool> delivery;
  tupleN(parallel(meet), parallel(meet), parallel(meet))
      .map([](const std::tuple<std::thread::id, std::thread::id, std::thread::id>& ids) {
        const auto& [a, b, c] = ids;
        return a != b && b != c && c != a;
      })
      .onComplete(delivery.callback(), pool);
  CHECK(delivery.outcome().get());
}

TEST_CASE("without a pool all branches run on the calling thread") {
  const auto thread = delay([] { return std::this_thread::get_id(); });
  const auto id = std::this_thread::get_id();
  CHECK(tuple2(parallel(thread), parallel(thread)).blockingAwait() == std::tuple(id, id));
}

TEST_CASE("the join comes back to the calling thread of blockingAwait") {
  ThreadPool pool(2);
  const auto program =
      tuple2(parallel(execute(pool, [] {})), parallel(execute(pool, [] {}))).flatMap([](auto) {
        return delay([] { return std::this_thread::get_id(); });
      });
  for (int i = 0; i < 200; ++i) CHECK(program.blockingAwait(pool) == std::this_thread::get_id());
}

TEST_CASE("nested parallel tuples on pools of any size yield all values") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    ThreadPool pool(threads);
    UnitContinuation<int> sum = now(1);
    for (int depth = 0; depth < 10; ++depth)
      sum = tuple2(parallel(sum), parallel(sum)).map([](std::tuple<int, int> both) {
        return std::get<0>(both) + std::get<1>(both);
      });
    CHECK(sum.blockingAwait(pool) == 1024);
  }
}

TEST_CASE("branches that complete on other threads at the same time complete the whole once") {
  constexpr int rounds = 5'000;
  Manual<Counted> first;
  Manual<Counted> second;
  std::atomic<int> deliveries{0};
  const auto program = tuple2(parallel(first.program()), parallel(second.program()));
  const auto begin = [&]() noexcept {
    program.onComplete(
        [&](Outcome<std::tuple<Counted, Counted>> outcome) { deliveries += outcome.hasValue(); });
  };
  std::barrier ready(2, begin);
  const auto complete = [&](Manual<Counted>& manual) {
    for (int i = 0; i < rounds; ++i) {
      ready.arrive_and_wait();
      manual.take()(Counted(i));
    }
  };
  {
    const std::jthread one(complete, std::ref(first));
    const std::jthread two(complete, std::ref(second));
  }
  CHECK(deliveries == rounds);
  CHECK(Counted::live() == 0);
}

TEST_CASE("requests to stop that race with the branches leave nothing behind") {
  ThreadPool pool(2);
  int ended = 0;
  for (int i = 0; i < 1'000; ++i) {
    const StopSource source;
    const auto branch =
        delay([] { return Counted(1); }).flatMap([](Counted counted) { return now(std::move(counted)); });
    Delivery<std::tuple<Counted, Counted, Counted>> delivery;
    tupleN(parallel(branch), parallel(branch), parallel(branch))
        .onComplete(delivery.callback(), pool, source.token());
    source.requestStop();
    const auto& outcome = delivery.outcome();
    ended += outcome.hasValue() || outcome.isCancelled();
  }
  CHECK(ended == 1'000);
  CHECK(Counted::live() == 0);
}
