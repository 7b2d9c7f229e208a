#include "tapestry/concurrent/read_write_lock.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "support/callable.hpp"
#include "support/programs/in_sequence.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;
using test::outcomeText;
using testing::Scheduler;

static_assert(TAPESTRY_MEMBER_CALLABLE(withReadLock, ReadWriteLock, Do<int>));
static_assert(!TAPESTRY_MEMBER_CALLABLE(withReadLock, ReadWriteLock, int));
static_assert(TAPESTRY_MEMBER_CALLABLE(withWriteLock, ReadWriteLock, Do<int>));
static_assert(!TAPESTRY_MEMBER_CALLABLE(withWriteLock, ReadWriteLock, int));

namespace {

/// Runs that hold the lock until they are told to let go, each by a name in the log.
class Holders {
 public:
  ~Holders() {
    while (!held_.empty()) letGo(held_.begin()->first);
  }
  void read(char name, const StopToken& stop = {}) { come(name, lock.readLock(), stop); }
  void write(char name, const StopToken& stop = {}) { come(name, lock.writeLock(), stop); }
  void letGo(char name) { held_.extract(name).mapped()(); }
  std::string takeLog() { return std::exchange(log_, ""); }

  const ReadWriteLock lock;

 private:
  void come(char name, const Do<void>& locking, const StopToken& stop) {
    locking
        .flatMap([this, name] {
          log_ += name;
          return Do<void>::lift(async<void>([this, name](Callback<void> go) { held_.emplace(name, go); }));
        })
        .onComplete([](Outcome<void>) {}, stop);
  }

  std::map<char, Callback<void>> held_;
  std::string log_;
};

}  // namespace

TEST_CASE("readers hold the lock together, and a writer alone") {
  Holders runs;
  runs.read('a');
  runs.read('b');
  CHECK(runs.takeLog() == "ab");
  runs.write('W');
  runs.letGo('a');
  CHECK(runs.takeLog() == "");
  runs.letGo('b');
  CHECK(runs.takeLog() == "W");
  runs.write('V');
  runs.read('c');
  CHECK(runs.takeLog() == "");
  runs.letGo('W');
  CHECK(runs.takeLog() == "V");
  runs.letGo('V');
  CHECK(runs.takeLog() == "c");
  CHECK(runs.lock.isLocked());
  runs.letGo('c');
  CHECK_FALSE(runs.lock.isLocked());
}

TEST_CASE("readers that come behind a waiting writer come after it, all at once") {
  Holders runs;
  runs.read('a');
  runs.write('W');
  runs.read('b');
  runs.read('c');
  runs.write('V');
  runs.read('d');
  CHECK(runs.takeLog() == "a");
  runs.letGo('a');
  CHECK(runs.takeLog() == "W");
  runs.letGo('W');
  CHECK(runs.takeLog() == "bc");
  runs.letGo('c');
  CHECK(runs.takeLog() == "");
  runs.letGo('b');
  CHECK(runs.takeLog() == "V");
  runs.letGo('V');
  CHECK(runs.takeLog() == "d");
}

TEST_CASE("if a waiting writer is stopped, the readers behind it join the active readers") {
  Holders runs;
  const StopSource stop;
  runs.read('a');
  runs.write('W', stop.token());
  runs.read('b');
  CHECK(runs.takeLog() == "a");
  stop.requestStop();
  CHECK(runs.takeLog() == "b");
}

TEST_CASE("with a lock, a program runs in a separate scope") {
  const ReadWriteLock lock;
  const auto locked = Do<bool>::delay([=] { return lock.isLocked(); });
  CHECK(lock.withReadLock(locked).blockingAwait());
  CHECK(lock.withWriteLock(locked).blockingAwait());
  CHECK_FALSE(lock.isLocked());
}

TEST_CASE("a reader that comes as a writer too is a deadlock, which names the wait") {
  Scheduler scheduler;
  const ReadWriteLock lock;
  CHECK_THROWS_WITH_AS(
      static_cast<void>(scheduler.run(lock.readLock().flatMap([=] { return lock.writeLock(); }))),
      doctest::Contains("ReadWriteLock::writeLock"), testing::Deadlock);
}

TEST_CASE("writers exclude all others, and each run gets its turn, in any order of steps") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Scheduler scheduler(seed);
    const ReadWriteLock lock;
    int readers = 0, writers = 0, done = 0, together = 0;
    const auto work = [&](int i) {
      const bool writes = i % 3 == 0;
      int& mine = writes ? writers : readers;
      const auto inside = Do<void>::delay([&, writes] {
                            ++mine;
                            together = std::max(together, readers);
                            CHECK((writes ? writers == 1 && readers == 0 : writers == 0));
                          }).flatMap([] {
                              return Do<void>::lift(sleepFor(std::chrono::seconds(1)));
                            }).map([&] { --mine, ++done; });
      return writes ? lock.withWriteLock(inside) : lock.withReadLock(inside);
    };
    const std::vector<int> numbers{0, 1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(outcomeText(scheduler.run(parForEach(numbers, 9, work))) == "value");
    CHECK(done == 9);
    CHECK(together >= 2);
    CHECK_FALSE(lock.isLocked());
  }
}

TEST_CASE("a request to stop at any step leaves the read-write lock free") {
  const ReadWriteLock lock;
  const auto make = [&] {
    const auto wait = Do<int>::lift(sleepFor(std::chrono::seconds(1)).map([] { return 1; }));
    return tupleN(parallel(lock.withReadLock(wait)), parallel(lock.withWriteLock(wait)),
                  parallel(lock.withReadLock(wait)));
  };
  const auto runs =
      testing::cancelAtEveryStep(make, [&](const auto&, std::size_t) { CHECK_FALSE(lock.isLocked()); });
  CHECK(runs > 8);
}

TEST_CASE("a read-write lock guards what runs on several threads do") {
  ThreadPool pool(4);
  const ReadWriteLock lock;
  int first = 0, second = 0;
  const auto write = lock.withWriteLock(Do<void>::delay([&] { ++first, ++second; }));
  const auto read = lock.withReadLock(Do<void>::delay([&] {
    if (first != second) throw std::logic_error("torn");
  }));
  std::vector<int> numbers(4'000);
  for (int i = 0; i < 4'000; ++i) numbers[static_cast<std::size_t>(i)] = i;
  Delivery<void> end;
  parForEach(numbers, 16, [&](int i) { return i % 4 ? read : write; }).onComplete(end.callback(), pool);
  CHECK(outcomeText(end.outcome()) == "value");
  CHECK(first == 1'000);
}

TEST_CASE("a million read locks in sequence need no stack") {
  const ReadWriteLock lock;
  CHECK(test::inSequence([lock] { return lock.readLock().run(); }, test::million).blockingAwait() == 0);
}
