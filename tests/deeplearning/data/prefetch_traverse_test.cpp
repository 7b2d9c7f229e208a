#include <tapestry/deeplearning/data/prefetch_traverse.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "support/error_text.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/manual.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/deeplearning/data/batches.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/raii.hpp"

namespace {

using namespace tapestry;
using test::Delivery;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

/// Which items were made, and how many of them are alive.
struct Log {
  std::atomic<int> made{0};
  std::atomic<int> alive{0};
  std::atomic<int> most{0};
};

struct Item {
  Item(int number, const std::shared_ptr<Log>& all) : value(number), log(all) {
    ++log->made;
    if (++log->alive > log->most) log->most = log->alive.load();
  }
  Item(const Item& other) = delete;
  Item(Item&& other) noexcept : value(other.value), log(std::move(other.log)) {}
  ~Item() {
    if (log) --log->alive;
  }
  int value;
  std::shared_ptr<Log> log;
};

/// Five items, of which one may be broken.
struct Five {
  std::size_t size() const { return 5; }
  Item get(std::size_t index) const {
    if (static_cast<int>(index) == broken) throw std::runtime_error("item is broken");
    return {static_cast<int>(index), log};
  }
  std::shared_ptr<Log> log = std::make_shared<Log>();
  int broken = -1;
};

}  // namespace

TEST_CASE("the values of all programs come in the order of the items, in each run afresh") {
  const Five five;
  const auto program = prefetchTraverse(five, [](const Item& item) { return Do<int>::now(10 * item.value); });
  CHECK(five.log->made == 0);
  CHECK(program.blockingAwait() == std::vector{0, 10, 20, 30, 40});
  CHECK(program.blockingAwait() == std::vector{0, 10, 20, 30, 40});
  CHECK(five.log->made == 10);
  CHECK(five.log->alive == 0);
}

TEST_CASE("no more than the item that a program holds, and the next, are alive") {
  const Five five;
  prefetchTraverse(five, [](Item item) {
    return Do<int>::delay([held = std::make_shared<Item>(std::move(item))] { return held->value; });
  }).blockingAwait();
  CHECK(five.log->made == 5);
  CHECK(five.log->most == 2);
  CHECK(five.log->alive == 0);
}

TEST_CASE("while the program of an item runs, the next item is made, and no more") {
  const Five five;
  Manual<void> gate;
  Delivery<std::vector<Unit>> delivery;
  prefetchTraverse(five, [&](const Item&) {
    return Do<void>::lift(gate.program());
  }).onComplete(delivery.callback());
  for (int i = 0; i < 5; ++i) {
    CHECK(gate.waiting() == 1);
    CHECK(five.log->made == std::min(i + 2, 5));
    gate.take()();
  }
  CHECK(outcomeText(delivery.outcome()) == "value");
}

TEST_CASE("an idle worker makes the next item while a program keeps its thread") {
  struct Meeting {
    std::size_t size() const { return 2; }
    int get(std::size_t index) const {
      if (index == 1) *madeMeanwhile = meets(*programRuns);
      return 0;
    }
    static bool meets(const std::atomic<bool>& other) {
      return test::within(std::chrono::seconds(20), [&] { return other.load(); });
    }
    std::atomic<bool>* programRuns;
    std::atomic<bool>* madeMeanwhile;
  };
  std::atomic<bool> programRuns = false, madeMeanwhile = false, met = false;
  ThreadPool pool(1);
  while (!pool.idle()) std::this_thread::yield();
  prefetchTraverse(Meeting{&programRuns, &madeMeanwhile}, [&](int) {
    return Do<void>::delay([&] {
      programRuns = true;
      met = Meeting::meets(madeMeanwhile);
      programRuns = false;
    });
  }).blockingAwait(pool);
  CHECK(met);
}

TEST_CASE("an item that cannot be made is an error in its turn, after all programs before it") {
  const Five five{.broken = 2};
  Manual<void> gate;
  Delivery<std::vector<int>> delivery;
  std::vector<int> ended;
  prefetchTraverse(five, [&](const Item& item) {
    return Do<void>::lift(gate.program()).map([&, value = item.value] {
      ended.push_back(value);
      return value;
    });
  }).onComplete(delivery.callback());
  gate.take()();
  CHECK(five.log->made == 2);  // and the third has failed
  CHECK(delivery.count() == 0);
  gate.take()();
  CHECK(outcomeText(delivery.outcome()) == "item is broken");
  CHECK(ended == std::vector{0, 1});
  CHECK(gate.waiting() == 0);
}

TEST_CASE("the first item may fail") {
  CHECK(test::errorOf([] {
          prefetchTraverse(Five{.broken = 0}, [](const Item&) { return Do<int>::now(1); }).blockingAwait();
        }) == "item is broken");
}

TEST_CASE("when a program fails, no other begins") {
  const Five five;
  int begun = 0;
  const auto program = prefetchTraverse(five, [&](const Item& item) {
    ++begun;
    return Do<int>::delay(
        [value = item.value] { return value == 1 ? throw std::runtime_error("program 1 failed") : value; });
  });
  CHECK(test::errorOf([&] { program.blockingAwait(); }) == "program 1 failed");
  CHECK(begun == 2);
  CHECK(five.log->alive == 0);
}

TEST_CASE("a function that throws fails the traversal") {
  const auto program = prefetchTraverse(Five(), [](const Item& item) -> Do<int> {
    if (item.value == 3) throw std::runtime_error("no program");
    return Do<int>::now(1);
  });
  CHECK(test::errorOf([&] { program.blockingAwait(); }) == "no program");
}

TEST_CASE("the trace of an error has no place in the library's sources") {
  const auto failing = prefetchTraverse(Five(), [](const Item&) { return Do<int>::raiseError("failed"); });
  const auto places = traceOf(failing.attempt().blockingAwait().error()).places;
  REQUIRE(!places.empty());
  for (const auto& place : places) CHECK(std::string_view(place.location.file_name()) == __FILE__);
}

TEST_CASE("a run that is stopped leaves nothing running and nothing held") {
  const Five five;
  FakeResources fake;
  Manual<void> gate;
  StopSource stop;
  Delivery<std::vector<Unit>> delivery;
  prefetchTraverse(five, [&](const Item& item) {
    return fake.make(std::to_string(item.value)).flatMap([&](const auto&) {
      return Do<void>::lift(gate.program());
    });
  }).onComplete(delivery.callback(), stop.token());
  gate.take()();
  CHECK(fake.open() == 1);  // that of the first has been released
  stop.requestStop();
  CHECK(outcomeText(delivery.outcome()) == "cancelled");
  CHECK(fake.open() == 0);
  CHECK(five.log->alive == 0);
  CHECK(five.log->made == 3);
}

TEST_CASE("the size of the items may be any type that converts to std::size_t") {
  struct Two {
    int size() const { return 2; }
    int get(std::size_t index) const { return static_cast<int>(index); }
  };
  const auto program = prefetchTraverse(Two(), [](int item) { return Do<int>::now(item); });
  CHECK(program.blockingAwait() == std::vector{0, 1});
}

TEST_CASE("no items give no values") {
  struct None {
    std::size_t size() const { return 0; }
    int get(std::size_t) const { return 0; }
  };
  CHECK(prefetchTraverse(None(), [](int) { return Do<int>::now(1); }).blockingAwait().empty());
}

TEST_CASE("an epoch is trained batch by batch, with the same result with and without workers") {
  struct Numbers {
    std::size_t size() const { return 10; }
    double get(std::size_t index) const { return static_cast<double>(index) / 8; }
  };
  const auto trained = [](auto... workers) {
    const DoubleWeight w(1);
    const Batches batches(Numbers(), {.size = 4, .seed = 1});
    const auto losses = prefetchTraverse(batches.epoch(3), [&](const std::vector<double>& batch) {
                          double sum = 0;
                          for (const double number : batch) sum += number;
                          return train(w * w * sum);
                        }).blockingAwait(*workers...);
    CHECK(losses.size() == 3);
    return w.data();
  };
  ThreadPool pool(2);
  CHECK(trained() == trained(&pool));
  CHECK(trained() != 1);
}
