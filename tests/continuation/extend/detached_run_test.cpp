// A run that another run starts and that may outlive it.
#include "tapestry/continuation/extend/detached_run.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "support/programs/manual.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/extend/program.hpp"

using namespace tapestry;

namespace {

/// Runs a program for its effect, and counts how it ends.
class Beside final : public extend::DetachedRun {
 public:
  Beside(const extend::Run& starter, UnitContinuation<void> program, int& values, int& stops)
      : DetachedRun(starter), program_(std::move(program)), values_(values), stops_(stops) {}

  void start() noexcept {
    DetachedRun::start(extend::frameOf<&Beside::value, &Beside::stop>(this), *program_.node());
  }

 private:
  void value(extend::Run& run) {
    run.take<Unit>();
    ++values_;
    run.put(Unit{});
  }
  void stop(extend::Run& run) {
    run.takeStop();
    ++stops_;
    run.put(Unit{});
  }

  UnitContinuation<void> program_;
  int& values_;
  int& stops_;
};

/// Starts another run, and yields it at once.
struct StartBeside : extend::ProgramOperations<StartBeside> {
  using ValueType = extend::Ref<Beside>;
  StartBeside(UnitContinuation<void> given, int& valueCount, int& stopCount)
      : program(std::move(given)), values(valueCount), stops(stopCount) {}

  void step(extend::Run& run, extend::Keeper) const {
    auto beside = extend::makeRef<Beside>(run, program, values, stops);
    beside->start();
    run.put<ValueType>(std::move(beside));
  }

  UnitContinuation<void> program;
  int& values;
  int& stops;
};

}  // namespace

TEST_CASE("a detached run continues when its starter has ended") {
  test::Manual<void> manual;
  int values = 0, stops = 0;
  bool ended = false;
  StartBeside(manual.program(), values, stops).onComplete([&](const Outcome<extend::Ref<Beside>>&) {
    ended = true;
  });
  CHECK(ended);
  CHECK(values == 0);
  manual.take()();
  CHECK(values == 1);
  CHECK(stops == 0);
}

TEST_CASE("a detached run is stopped by itself, and not with its starter") {
  test::Manual<void> manual;
  int values = 0, stops = 0;
  StopSource stop;
  extend::Ref<Beside> beside;
  StartBeside(manual.program(), values, stops)
      .onComplete([&](Outcome<extend::Ref<Beside>> outcome) { beside = outcome.get(); }, stop.token());
  stop.requestStop();
  CHECK(stops == 0);
  beside->request();
  CHECK(stops == 1);
  CHECK(values == 0);
}
