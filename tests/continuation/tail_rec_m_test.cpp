#include "tapestry/continuation/tail_rec_m.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "support/programs/counted.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Counted;

TEST_CASE("a step is either the next state or the result") {
  auto next = Step<int, std::string>::next(3);
  CHECK_FALSE(next.isDone());
  CHECK(next.state() == 3);
  auto done = Step<int, std::string>::done("result");
  CHECK(done.isDone());
  CHECK(done.result() == "result");
  CHECK(Step<int, int>::done(4).isDone());
  CHECK_FALSE(Step<int, int>::next(4).isDone());
}

TEST_CASE("tailRecM repeats its body until it is done") {
  const auto countdown = tailRecM(1000, [](int i) {
    return delay(
        [i] { return i > 0 ? Step<int, std::string>::next(i - 1) : Step<int, std::string>::done("done"); });
  });
  CHECK(countdown.blockingAwait() == "done");
  CHECK(countdown.blockingAwait() == "done");
}

TEST_CASE("tailRecM may be done at once and may yield void") {
  int calls = 0;
  tailRecM(0, [&](int) { return delay([&] { return ++calls, Step<int, void>::done(); }); }).blockingAwait();
  CHECK(calls == 1);
}

TEST_CASE("tailRecM accepts a body that waits") {
  const auto program = tailRecM(0, [](int i) {
    return async<int>([i](Callback<int> callback) { callback(i + 1); }).map([](int x) {
      return x < 10 ? Step<int, int>::next(x) : Step<int, int>::done(x);
    });
  });
  CHECK(program.blockingAwait() == 10);
}

TEST_CASE("tailRecM performs nothing before it is run") {
  int calls = 0;
  {
    const UnitContinuation<int> program =
        tailRecM(0, [&](int) { return ++calls, now(Step<int, int>::done(1)); });
    CHECK(calls == 0);
  }
  CHECK(calls == 0);
}

TEST_CASE("tailRecM keeps neither states nor bodies of earlier rounds") {
  int most = 0;
  const auto body = [&most, captured = Counted(1)](const Counted& state) {
    most = std::max(most, Counted::live());
    const int i = state.value();
    return delay(
        [i] { return i < 10'000 ? Step<Counted, int>::next(Counted(i + 1)) : Step<Counted, int>::done(i); });
  };
  CHECK(tailRecM(Counted(0), body).blockingAwait() == 10'000);
  CHECK(most < 20);
}

TEST_CASE("tailRecM sees a request to stop in each round") {
  const StopSource source;
  int rounds = 0;
  const auto endless = tailRecM(0, [&](int) {
    if (++rounds == 10) source.requestStop();
    return now(Step<int, int>::next(0));
  });
  CHECK_THROWS_AS(endless.blockingAwait(source.token()), Cancelled);
  CHECK(rounds == 10);
}

TEST_CASE("a loop yields a result that cannot be copied") {
  using Next = Step<int, std::unique_ptr<int>>;
  const auto loop = tailRecM(0, [](int i) {
    return delay([i] { return i < 10 ? Next::next(i + 1) : Next::done(std::make_unique<int>(i)); });
  });
  CHECK(*loop.blockingAwait() == 10);
  CHECK(*loop.blockingAwait() == 10);
}
