// Programs of one's own.
#include "tapestry/continuation/extend/program.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "support/programs/manual.hpp"
#include "tapestry/continuation.hpp"

using namespace tapestry;

namespace {

/// Yields a value at once.
struct Answer : extend::ProgramOperations<Answer> {
  using ValueType = int;
  int eval() const { return 42; }
  void step(extend::Run& run, extend::Keeper) const { extend::stepAtOnce(*this, run); }
};
static_assert(extend::SyncProgram<Answer> && extend::ProgramOf<Answer, int>);

/// The value of a program, twice.
template <extend::Program P>
class Twice : public extend::ProgramOperations<Twice<P>> {
  using A = Stored<typename P::ValueType>;

 public:
  using ValueType = std::pair<A, A>;

  explicit Twice(P program) : program_(std::move(program)) {}

  void step(extend::Run& run, extend::Keeper keeper) const {
    constexpr auto twice = [](extend::Run& r) {
      A value = r.take<A>();
      r.put<ValueType>({value, value});
    };
    run.push<twice>(std::move(keeper));
    program_.step(run, {});
  }

 private:
  P program_;
};

/// Counts the stops that pass, after a finalizer.
template <extend::Program P>
class CountStops : public extend::ProgramOperations<CountStops<P>> {
 public:
  using ValueType = typename P::ValueType;

  CountStops(P program, int& stops) : program_(std::move(program)), stops_(stops) {}

  void step(extend::Run& run, extend::Keeper keeper) const {
    constexpr auto unwind = [](const CountStops& self, extend::Run& r) {
      const UnitContinuation<Errors> count = delay([&stops = self.stops_] {
        ++stops;
        return Errors();
      });
      extend::finalizeStop(r, count.node());
    };
    run.push<nullptr, unwind>(this, std::move(keeper));
    program_.step(run, {});
  }

 private:
  P program_;
  int& stops_;
};

/// Parks the run, and gives it to the test.
struct Parked final : extend::Node, extend::Parker {
  bool park(extend::Run& run) noexcept override {
    waiting = &run;
    return goesOnAtOnce;
  }
  bool goesOnAtOnce = false;
  extend::Run* waiting = nullptr;
};

struct Park : extend::ProgramOperations<Park> {
  using ValueType = int;
  explicit Park(Parked& given) : parked(&given) {}
  void step(extend::Run& run, extend::Keeper) const {
    constexpr auto goOn = [](extend::Run& r) { r.put(7); };
    run.push<goOn>();
    run.park(*parked, {"Park"});
  }
  Parked* parked;
};

}  // namespace

TEST_CASE("a user-defined program that yields at once composes with all other programs") {
  CHECK(Answer().map([](int x) { return x + 1; }).blockingAwait() == 43);
  CHECK(now(1).flatMap([](int) { return Answer(); }).blockingAwait() == 42);
  const UnitContinuation<int> erased = Answer();
  CHECK(erased.blockingAwait() == 42);
}

TEST_CASE("a user-defined combinator takes the value and puts its own value") {
  CHECK(Twice(Answer()).blockingAwait() == std::pair(42, 42));
  test::Manual<int> manual;
  int sum = 0;
  {
    const UnitContinuation<std::pair<int, int>> erased = Twice(manual.program());
    erased.map([&](std::pair<int, int> both) { sum = both.first + both.second; })
        .onComplete([](const Outcome<void>&) {});
  }
  manual.take()(4);
  CHECK(sum == 8);
}

TEST_CASE("a user-defined combinator finalizes a stop") {
  test::Manual<int> manual;
  StopSource stop;
  int stops = 0;
  bool cancelled = false;
  CountStops(manual.program(), stops)
      .onComplete([&](const Outcome<int>& outcome) { cancelled = outcome.isCancelled(); }, stop.token());
  stop.requestStop();
  CHECK(stops == 1);
  CHECK(cancelled);
  CHECK(CountStops(now(1), stops).blockingAwait() == 1);
  CHECK(stops == 1);
}

TEST_CASE("a parked run continues when it is resumed, and at once if its parker returns that") {
  Parked parked;
  int value = 0;
  Park(parked).map([&](int given) { value = given; }).onComplete([](const Outcome<void>&) {});
  CHECK(value == 0);
  parked.waiting->resume();
  CHECK(value == 7);
  parked.goesOnAtOnce = true;
  CHECK(Park(parked).blockingAwait() == 7);
}
