// A parallel combinator of one's own.
#include "tapestry/continuation/extend/gather.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/programs/manual.hpp"
#include "tapestry/asio.hpp"
#include "tapestry/continuation.hpp"

using namespace tapestry;

namespace {

/// Runs all programs, and yields how many of them had a value; the first that is above a limit stops the
/// others.
class CountUntil : public extend::ProgramOperations<CountUntil> {
 public:
  using ValueType = int;

  CountUntil(std::vector<UnitContinuation<int>> programs, int limit)
      : programs_(std::move(programs)), limit_(limit) {}

  void step(extend::Run& run, extend::Keeper keeper) const {
    run.keep(std::move(keeper));
    Counting& counting = run.push<finish>(extend::makeRef<Counting>(*this));
    counting.begin(run, programs_.size(), extend::Location());
  }

 private:
  struct Counting final : extend::Gather {
    explicit Counting(const CountUntil& given) : of(given) {}
    void start(std::size_t index, extend::Run& run) noexcept override {
      run.next(*of.programs_[index].node());
    }
    bool collect(std::size_t, extend::Run& run) noexcept override {
      if (run.stopping()) {
        run.takeStop();
        return false;
      }
      ++values;
      return run.take<int>() > of.limit_;
    }
    const CountUntil& of;
    std::atomic<int> values{0};
  };

  static void finish(Counting& counting, extend::Run& run) { run.put<int>(counting.values.load()); }

  std::vector<UnitContinuation<int>> programs_;
  int limit_;
};

}  // namespace

TEST_CASE("a user-defined parallel combinator runs all branches, also on a pool") {
  const std::vector<UnitContinuation<int>> programs(100, UnitContinuation<int>(now(1)));
  CHECK(CountUntil(programs, 5).blockingAwait() == 100);
  ThreadPool pool(2);
  CHECK(CountUntil(programs, 5).blockingAwait(pool) == 100);
}

TEST_CASE("a branch of a user-defined parallel combinator stops the others") {
  test::Manual<int> manual;
  int count = -1;
  CountUntil({manual.program(), manual.program(), manual.program()}, 5).onComplete([&](Outcome<int> outcome) {
    count = outcome.get();
  });
  REQUIRE(manual.waiting() == 3);
  manual.take()(1);
  CHECK(count == -1);
  manual.take()(9);
  CHECK(count == 2);
}
