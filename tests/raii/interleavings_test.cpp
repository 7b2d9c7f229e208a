#include <doctest/doctest.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/error_text.hpp"
#include "support/programs/after.hpp"
#include "support/programs/step_programs.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/retry.hpp"
#include "tapestry/raii/timeout.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::after;
using test::FakeResources;
using test::StepProgram;
using test::StepPrograms;
using testing::cancelAtEveryStep;
using testing::Scheduler;

namespace {

/// A resource that is held while its owner sleeps.
Do<int> slow(FakeResources& fake, const std::string& name, Clock::Duration duration) {
  return fake.make(name).flatMap([=](const std::string&) {
    return after(duration).map([duration] { return static_cast<int>(duration / 1ms); });
  });
}

/// The programs that wait; the step programs and their resources never do.
std::vector<StepProgram> waiting(FakeResources& fake) {
  const auto failing = [&fake](const std::string& name) {
    return slow(fake, name, 1ms).map([](int) -> int { throw std::runtime_error("failing"); });
  };
  const auto either = [](const auto& winner) { return std::get<0>(winner); };
  return {
      {"a race", race(slow(fake, "a", 1ms), slow(fake, "b", 1ms)).map([](const auto& winner) {
         return static_cast<int>(winner.index());
       })},
      {"a race with a branch that fails", race(slow(fake, "a", 2ms), failing("b")).map(either)},
      {"a timeout that comes at the same time", timeout(slow(fake, "a", 2ms), 2ms)},
      {"a timeout that comes too late", timeout(slow(fake, "a", 1ms), 2ms)},
      {"a traversal, two at a time",
       parTraverse(std::vector{1, 2, 3, 4, 5}, 2,
                   [&fake](int i) { return slow(fake, std::to_string(i), i * 1ms); })
           .map([](const auto& all) { return static_cast<int>(all.size()); })},
      {"a traversal that fails", parTraverse(std::vector{1, 2, 3, 4}, 3,
                                             [&fake, failing](int i) {
                                               return i == 3 ? failing("3")
                                                             : slow(fake, std::to_string(i), 1ms);
                                             })
                                     .map([](const auto& all) { return static_cast<int>(all.size()); })},
      {"attempts that fail", retry(failing("a"), {.attempts = 3, .delay = 1ms})},
      {"users of a shared value, one of whom comes too late", Do<int>::suspend([&fake] {
         const auto shared = slow(fake, "s", 2ms).shared();
         const auto use = shared.map([](const Handle<int>& handle) { return *handle; });
         return tuple2(parallel(timeout(use, 1ms).handleError([](const auto&) { return Do<int>::now(0); })),
                       parallel(use))
             .map([](const auto& both) { return std::get<1>(both); });
       })},
      {"users of a shared value who all come too late", Do<int>::suspend([&fake] {
         const auto shared = slow(fake, "s", 3ms).shared();
         const auto use = timeout(shared.map([](const Handle<int>& handle) { return *handle; }), 1ms)
                              .handleError([](const auto&) { return Do<int>::now(0); });
         return tuple2(parallel(use), parallel(use)).flatMap([use](const auto&) { return use; });
       })},
      {"a race of traversals",
       race(parTraverse(std::vector{1, 2}, 2,
                        [&fake](int i) { return slow(fake, "l" + std::to_string(i), i * 1ms); }),
            slow(fake, "r", 2ms))
           .map([](const auto& winner) { return static_cast<int>(winner.index()); })},
  };
}

std::vector<StepProgram> allPrograms(FakeResources& fake, StepPrograms& steps) {
  auto all = steps.all();
  for (auto& program : waiting(fake)) all.push_back(std::move(program));
  return all;
}

std::size_t programsToInterleave() {
  FakeResources fake;
  StepPrograms steps(fake);
  return allPrograms(fake, steps).size();
}

}  // namespace

TEST_CASE("in any order of steps, nothing is left open and nothing hangs") {
  for (std::size_t i = 0; i < programsToInterleave(); ++i) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      FakeResources fake;
      StepPrograms steps(fake);
      const auto chosen = allPrograms(fake, steps).at(i);
      Scheduler scheduler(seed);
      const auto outcome = scheduler.run(chosen.program);
      INFO(chosen.name << " with the seed " << seed << ": " << fake.log());
      CHECK_FALSE(outcome.isCancelled());
      CHECK(fake.open() == 0);
      CHECK(fake.faults().empty());
    }
  }
}

TEST_CASE("a request to stop before any step of any order leaves nothing open") {
  for (std::size_t i = 0; i < programsToInterleave(); ++i) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      std::optional<FakeResources> fake;
      std::optional<StepPrograms> steps;
      std::string name;
      const auto make = [&] {
        fake.emplace();
        steps.emplace(*fake);
        auto chosen = allPrograms(*fake, *steps).at(i);
        name = chosen.name;
        return chosen.program;
      };
      const std::size_t runs = cancelAtEveryStep(
          make,
          [&](const Outcome<int>& outcome, std::size_t step) {
            INFO(name << " with the seed " << seed << ", asked to stop before step " << step << ": "
                      << fake->log());
            // before the first step nothing has happened
            if (step == 0) CHECK(outcome.isCancelled());
            CHECK(fake->open() == 0);
            CHECK(fake->faults().empty());
          },
          seed);
      CHECK(runs > 1);
    }
  }
}
