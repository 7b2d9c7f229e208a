// P8 for parForEach of Do.
#include "tapestry/raii/par_for_each.hpp"

#include <doctest/doctest.h>
#include <malloc.h>

#include <atomic>
#include <concepts>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_traverse.hpp"

using namespace tapestry;
using test::Delivery;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

TEST_CASE("parForEach of Do releases what an element has acquired when that ends") {
  FakeResources fake;
  const auto program =
      parForEach(std::views::iota(0, 3), 1, [&](int i) { return fake.make(std::to_string(i)); });
  static_assert(std::same_as<decltype(program), const Do<void>>);
  program.map([&] { fake.note("after"); }).blockingAwait();
  CHECK(fake.log() == "+0 -0 +1 -1 +2 -2 after");
}

TEST_CASE("parTraverse of Do<void> yields nothing and keeps what was acquired until the scope ends") {
  FakeResources fake;
  const auto program = parTraverse(std::views::iota(0, 3), 2,
                                   [&](int i) { return fake.make(std::to_string(i)).map([](auto&&) {}); });
  static_assert(std::same_as<decltype(program), const Do<void>>);
  program.map([&] { CHECK(fake.open() == 3); }).blockingAwait();
  CHECK(fake.open() == 0);
}

TEST_CASE("errors of a traversal without values come in the order of the range") {
  const auto both = [](auto traverse) {
    Manual<void> gate;
    Delivery<void> delivery;
    traverse(std::views::iota(0, 9), 3, [&](int i) {
      return Do<void>::lift(gate.deaf()).map([i] { throw std::runtime_error("error " + std::to_string(i)); });
    }).onComplete(delivery.callback());
    auto first = gate.take();
    auto second = gate.take();
    gate.take()();
    second();
    first();
    return outcomeText(delivery.outcome());
  };
  const auto expected =
      both([](auto... arguments) { return parTraverse(arguments...).map([](auto&&...) {}); });
  CHECK(expected.find("error 0") < expected.find("error 1"));
  CHECK(expected.find("error 1") < expected.find("error 2"));
  CHECK(both([](auto... arguments) { return parForEach(arguments...); }) == expected);
}

TEST_CASE("an exception of the function of parForEach is the error of its element") {
  FakeResources fake;
  Delivery<void> delivery;
  parForEach(std::vector{1, 2, 3}, 2, [&](int i) -> Do<std::string> {
    if (i == 2) throw std::runtime_error("thrown");
    return fake.make(std::to_string(i));
  }).onComplete(delivery.callback());
  CHECK(outcomeText(delivery.outcome()) == "thrown");
  CHECK(fake.open() == 0);
}

TEST_CASE("parForEach of Do reads a range of a single pass and no more of it than it begins") {
  std::istringstream numbers("1 2 3 4 5 6 7 8 9");
  Delivery<void> delivery;
  parForEach(std::views::istream<int>(numbers), 1, [](int i) {
    return Do<int>::delay([i] { return i < 4 ? i : throw std::runtime_error("four"); });
  }).onComplete(delivery.callback());
  CHECK(outcomeText(delivery.outcome()) == "four");
  int next = 0;
  numbers >> next;
  CHECK(next == 5);
}

TEST_CASE("parForEach of Do on a pool releases everything with any timing") {
  ThreadPool pool(2);
  FakeResources fake;
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> count{0};
    Delivery<void> delivery;
    parForEach(std::views::iota(0, 20), 4, [&](int i) {
      return fake.make(std::to_string(i)).map([&](const auto&) {
        if (++count == round % 25) throw std::runtime_error("late");
      });
    }).onComplete(delivery.callback(), pool);
    CHECK(delivery.outcome().isCancelled() == false);
    CHECK(fake.open() == 0);
  }
  CHECK(fake.faults().empty());
}

TEST_CASE("a traversal of Do without values keeps nothing of the elements that have ended") {
  if (test::underAddressSanitizer || test::underThreadSanitizer) return;  // their heaps are their own
  const auto heap = [] { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; };
  std::size_t early = 0;
  std::size_t late = 0;
  const auto look = [&](int i) {
    return Do<void>::delay([&, i] {
      if (i == 1000) early = heap();
      if (i == 100'000) late = heap();
    });
  };
  parForEach(std::views::iota(0, 100'001), 4, look).blockingAwait();
  CHECK(late < early + 10'000);
  parTraverse(std::views::iota(0, 100'001), 4, look).blockingAwait();
  CHECK(late < early + 10'000);
}
