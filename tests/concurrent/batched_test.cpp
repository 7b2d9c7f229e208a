#include "tapestry/concurrent/batched.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/callable.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using testing::Scheduler;

namespace {

using Ints = std::vector<int>;

Ints upTo(int n) {
  Ints numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// Multiplies by ten, and notes the sizes of its batches.
struct Tens {
  std::shared_ptr<std::vector<std::size_t>> sizes = std::make_shared<std::vector<std::size_t>>();

  Do<Ints> operator()(Ints numbers) const {
    sizes->push_back(numbers.size());
    for (int& number : numbers) number *= 10;
    return Do<Ints>::now(std::move(numbers));
  }
};

struct Generic {
  template <class Xs>
  Do<Xs> operator()(Xs xs) const {
    return Do<Xs>::now(xs);
  }
};
static_assert(TAPESTRY_CALLABLE(batched, Tens, BatchPolicy));
static_assert(TAPESTRY_CALLABLE(batched, Do<std::vector<std::string>> (*)(const Ints&), BatchPolicy));
static_assert(!TAPESTRY_CALLABLE(batched, Generic, BatchPolicy));
static_assert(!TAPESTRY_CALLABLE(batched, Do<int> (*)(Ints), BatchPolicy));
static_assert(!TAPESTRY_CALLABLE(batched, Ints (*)(Ints), BatchPolicy));
static_assert(!TAPESTRY_CALLABLE(batched, Do<Ints> (*)(Ints&), BatchPolicy));
static_assert(!TAPESTRY_CALLABLE(batched, int, BatchPolicy));

}  // namespace

TEST_CASE("requests that come within the window are one call, and each gets its own result") {
  Scheduler scheduler;
  const Tens tens;
  const auto ask = batched(tens, {.size = 100, .window = 10ms});
  const auto program = parTraverse(upTo(7), 7, [=](int i) { return ask(i); });
  CHECK(scheduler.run(program).get() == Ints{0, 10, 20, 30, 40, 50, 60});
  CHECK(*tens.sizes == std::vector<std::size_t>{7});
  CHECK(scheduler.clock().now().time_since_epoch() == 10ms);
}

TEST_CASE("a batch that is full is called at once") {
  Scheduler scheduler;
  const Tens tens;
  const auto ask = batched(tens, {.size = 3, .window = 1h});
  const auto program = parTraverse(upTo(9), 9, [=](int i) { return ask(i); });
  CHECK(scheduler.run(program).get().back() == 80);
  CHECK(*tens.sizes == std::vector<std::size_t>{3, 3, 3});
  CHECK(scheduler.clock().now().time_since_epoch() == 0ms);
}

TEST_CASE("a window of 0 gathers the arguments that come before the clock's next turn") {
  Scheduler scheduler;
  const Tens tens;
  const auto ask = batched(tens, {.size = 100, .window = 0ms});
  CHECK(scheduler.run(parTraverse(upTo(5), 5, [=](int i) { return ask(i); })).get().size() == 5);
  CHECK(*tens.sizes == std::vector<std::size_t>{5});
}

TEST_CASE("a window below 0, and a size below 1, are refused") {
  CHECK(errorOf([] { return batched(Tens(), {.size = 1, .window = -1ns}); }) ==
        "tapestry::batched: the window is -1 ns, expected at least 0");
  CHECK(errorOf([] { return batched(Tens(), {.size = 0}); }) ==
        "tapestry::batched: the size is 0, expected at least 1");
}

TEST_CASE("where the call fails, throws or yields a wrong number, all of the batch fail") {
  const auto failureOf = [](auto function) {
    Scheduler scheduler;
    const auto ask = batched(function, {.size = 3, .window = 1s});
    std::string all;
    const auto noted = [&](int i) {
      return ask(i).attempt().map(
          [&](const Try<int>& result) { all += test::errorText(result.error()) + ";"; });
    };
    CHECK(outcomeText(scheduler.run(parForEach(upTo(3), 3, noted))) == "value");
    return all;
  };
  CHECK(failureOf([](const Ints&) { return Do<Ints>::raiseError("broken"); }) == "broken;broken;broken;");
  CHECK(failureOf([](Ints) -> Do<Ints> { throw std::runtime_error("thrown"); }) == "thrown;thrown;thrown;");
  const std::string wrong =
      "tapestry::batched: the function yielded a wrong number of results, got 2, expected 3;";
  CHECK(failureOf([](Ints) { return Do<Ints>::now(Ints{1, 2}); }) == wrong + wrong + wrong);
}

TEST_CASE("a result may be an error of its own request") {
  const auto invert = batched(
      [](const Ints& numbers) {
        std::vector<Try<int>> results;
        for (const int number : numbers)
          results.push_back(number == 0
                                ? Try<int>::failure(std::make_exception_ptr(std::runtime_error("zero")))
                                : Try<int>::success(100 / number));
        return Do<std::vector<Try<int>>>::now(std::move(results));
      },
      {.size = 2});
  const auto both = tuple2(parallel(invert(0).attempt()), parallel(invert(5))).blockingAwait();
  CHECK(std::get<1>(both) == 20);
  CHECK(outcomeText(Scheduler().run(invert(0))) == "zero");
  CHECK_FALSE(std::get<0>(both).hasValue());
}

TEST_CASE("resources of the call are released before the results are given") {
  Scheduler scheduler;
  std::string log;
  const auto ask = batched(
      [&](Ints numbers) {
        return resource(Do<void>::now(), [&] { log += "released "; }).map([numbers] { return numbers; });
      },
      {.size = 2, .window = 1s});
  const auto noted = [&](int i) { return ask(i).map([&](int) { log += "given "; }); };
  CHECK(outcomeText(scheduler.run(parForEach(upTo(2), 2, noted))) == "value");
  CHECK(log == "released given given ");
}

TEST_CASE("results need no default constructor, may be bool, and arguments may be text") {
  Scheduler scheduler;
  const auto ask = batched(
      [](const std::vector<std::string>& texts) {
        std::vector<bool> empty;
        for (const auto& text : texts) empty.push_back(text.empty());
        return Do<std::vector<bool>>::now(empty);
      },
      {.size = 2});
  CHECK(scheduler.run(ask("")).get());
  CHECK_FALSE(scheduler.run(ask("x")).get());
}

TEST_CASE("runs of several threads share batches, each gets its own result") {
  ThreadPool pool(4);
  std::atomic<int> calls = 0;
  const auto ask = batched(
      [&](Ints numbers) {
        ++calls;
        for (int& number : numbers) number += 1'000'000;
        return Do<Ints>::now(std::move(numbers));
      },
      {.size = 50, .window = 1ms});
  const auto check = [&](int i) {
    return ask(i).map([i](int result) {
      if (result != i + 1'000'000) throw std::logic_error("another's result");
    });
  };
  Delivery<void> end;
  parForEach(upTo(20'000), 200, check).onComplete(end.callback(), pool);
  CHECK(outcomeText(end.outcome()) == "value");
  CHECK(calls < 10'000);
}

TEST_CASE("a hundred thousand requests in sequence need no stack") {
  struct Loop {
    Batched<int, int> ask;
    Do<int> operator()(int left) const {
      if (left == 0) return Do<int>::now(0);
      return ask(left).flatMap([loop = *this](int n) { return loop(n - 1); });
    }
  };
  const auto same = [](Ints numbers) { return Do<Ints>::now(std::move(numbers)); };
  CHECK(Loop{batched(same, {.size = 1})}(test::million / 10).blockingAwait() == 0);
}
