// The interleaver finds what it is for, and finds it again.
#include "support/threads/interleaver.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/threads/model_atomics.hpp"

using namespace tapestry::test;

namespace {

/// Two threads add 1, in one step or in two.
struct Adding final : Model {
  explicit Adding(bool inOneStep) : atomically(inOneStep) {}
  std::vector<std::function<void()>> threads() override {
    const auto add = [this] {
      if (atomically)
        sum.fetch_add(1);
      else
        sum.store(sum.load() + 1);
    };
    return {add, add};
  }
  void check() override { verify(sum.load() == 2, "an addition was lost"); }

  const bool atomically;
  ModelAtomics::Atomic<int> sum{0};
};

MakeModel adding(bool atomically) {
  return [=] { return std::make_unique<Adding>(atomically); };
}

template <class F>
std::optional<Violation> violationOf(F explore) {
  try {
    explore();
  } catch (const Violation& violation) {
    return violation;
  }
  return std::nullopt;
}

/// Notes the order in which two threads make two steps each.
struct Noting final : Model {
  explicit Noting(std::multiset<std::string>& all) : orders(all) {}
  std::vector<std::function<void()>> threads() override {
    const auto noting = [this](char name) {
      return [this, name] {
        for (int i = 0; i < 2; ++i) {
          interleavingPoint();
          order += name;
        }
      };
    };
    return {noting('a'), noting('b')};
  }
  void check() override { orders.insert(order); }

  std::string order;
  std::multiset<std::string>& orders;
};

/// Two threads that take two locks in different orders.
struct Philosophers final : Model {
  std::vector<std::function<void()>> threads() override {
    const auto eating = [this](int first) {
      return [this, first] {
        for (int i = 0; i < 2; ++i) {
          bool& fork = taken[(first + i) % 2];
          interleavingPoint();
          waitUntil([&fork] { return !fork; });
          fork = true;
        }
        taken[0] = taken[1] = false;
      };
    };
    return {eating(0), eating(1)};
  }
  bool taken[2] = {false, false};
};

}  // namespace

TEST_CASE("all interleavings with enough preemptions are all orders of the steps") {
  std::multiset<std::string> orders;
  const std::size_t count = interleaveAll([&] { return std::make_unique<Noting>(orders); }, 8);
  CHECK(std::set(orders.begin(), orders.end()) ==
        std::set<std::string>{"aabb", "abab", "abba", "baab", "baba", "bbaa"});
  CHECK(count == orders.size());
}

TEST_CASE("without a preemption only ends of threads are choices") {
  std::multiset<std::string> orders;
  interleaveAll([&] { return std::make_unique<Noting>(orders); }, 0);
  CHECK(orders == std::multiset<std::string>{"aabb", "bbaa"});
}

TEST_CASE("an addition in two steps is found to lose one, in the enumeration and at random") {
  CHECK_FALSE(violationOf([] { interleaveAll(adding(false), 0); }));
  const auto enumerated = violationOf([] { interleaveAll(adding(false), 1); });
  REQUIRE(enumerated);
  CHECK(std::string(enumerated->what()).find("an addition was lost (schedule ") == 0);
  CHECK(violationOf([] { interleaveRandomly(adding(false), 0, 100); }));
  CHECK_FALSE(violationOf([] { interleaveAll(adding(true), 8); }));
  CHECK_FALSE(violationOf([] { interleaveRandomly(adding(true), 0, 100); }));
}

TEST_CASE("the seed that is reported makes the same schedule again") {
  const auto found = violationOf([] { interleaveRandomly(adding(false), 0, 100); });
  REQUIRE(found);
  REQUIRE(found->schedule.find("seed ") == 0);
  const auto seed = std::stoull(found->schedule.substr(5));
  const auto again = violationOf([&] { interleaveRandomly(adding(false), seed, 1); });
  REQUIRE(again);
  CHECK(again->threads == found->threads);
  CHECK(std::string(again->what()) == found->what());
}

TEST_CASE("a deadlock of the threads is found") {
  const auto found = violationOf([] { interleaveAll([] { return std::make_unique<Philosophers>(); }, 1); });
  REQUIRE(found);
  CHECK(std::string(found->what()).find("deadlock") == 0);
}
