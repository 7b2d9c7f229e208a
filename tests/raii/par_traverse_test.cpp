// P8 for parTraverse of Do.
#include "tapestry/raii/par_traverse.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <ranges>
#include <stdexcept>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

TEST_CASE("parTraverse of Do yields values in order and keeps all resources until the scope ends") {
  FakeResources fake;
  const auto program = parTraverse(std::views::iota(0, 4), 2, [&](int i) {
    return fake.make(std::to_string(i)).map([i](const auto&) { return 10 * i; });
  });
  const auto values = program
                          .map([&](const std::vector<int>& all) {
                            CHECK(fake.open() == 4);
                            return all;
                          })
                          .blockingAwait();
  CHECK(values == std::vector{0, 10, 20, 30});
  CHECK(fake.open() == 0);
}

TEST_CASE("when an element fails, the others are cancelled and released, and no other is begun") {
  FakeResources fake;
  Manual<void> gate;
  int begun = 0;
  const auto program = parTraverse(std::views::iota(0, 100), 3, [&](int i) -> Do<int> {
    ++begun;
    if (i == 2)
      return Do<void>::lift(gate.program()).flatMap([] {
        return Do<int>::raiseError(std::runtime_error("two"));
      });
    return fake.make(std::to_string(i)).flatMap([&](const auto&) {
      return Do<void>::lift(gate.deaf()).map([] { return 1; });
    });
  });
  Delivery<std::vector<int>> delivery;
  program.onComplete(delivery.callback());
  CHECK(begun == 3);
  auto first = gate.take();
  auto second = gate.take();
  gate.take()();
  CHECK(delivery.count() == 0);
  first();
  second();
  CHECK(outcomeText(delivery.outcome()) == "two");
  CHECK(begun == 3);
  CHECK(fake.open() == 0);
}

TEST_CASE("an exception of the function is the error of its element") {
  Delivery<std::vector<int>> delivery;
  parTraverse(std::vector{1, 2}, 1, [](int i) -> Do<int> {
    if (i == 2) throw std::runtime_error("thrown");
    return Do<int>::now(i);
  }).onComplete(delivery.callback());
  CHECK(outcomeText(delivery.outcome()) == "thrown");
}

TEST_CASE("parTraverse of Do on a pool releases everything with any timing") {
  ThreadPool pool(2);
  FakeResources fake;
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> count{0};
    Delivery<std::vector<int>> delivery;
    parTraverse(std::views::iota(0, 20), 4, [&](int i) {
      return fake.make(std::to_string(i)).map([&, i](const auto&) {
        if (++count == round % 25) throw std::runtime_error("late");
        return i;
      });
    }).onComplete(delivery.callback(), pool);
    CHECK(delivery.outcome().isCancelled() == false);
    CHECK(fake.open() == 0);
  }
  CHECK(fake.faults().empty());
}

TEST_CASE("an empty range succeeds, and a limit of 0 is refused") {
  CHECK(parTraverse(std::vector<int>(), 1, [](int i) { return Do<int>::now(i); }).blockingAwait().empty());
  CHECK_THROWS_AS((void)parTraverse(std::vector<int>(), 0, [](int i) { return Do<int>::now(i); }),
                  std::invalid_argument);
}
