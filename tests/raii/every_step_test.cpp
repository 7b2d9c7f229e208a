#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/programs/runs.hpp"
#include "support/programs/step_programs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"

using namespace tapestry;
using test::Delivery;
using test::FakeResources;
using test::StepProgram;
using test::StepPrograms;

namespace {

struct Injected : std::runtime_error {
  Injected() : std::runtime_error("injected") {}
};

std::size_t programCount() {
  FakeResources fake;
  return StepPrograms(fake).all().size();
}

/// One run of one of the programs, with something done at one step.
struct Attempt {
  explicit Attempt(std::size_t program) : chosen(programs.all().at(program)) {}

  /// How it ended. Nothing is open when the outcome is delivered, and all was released once, in order.
  std::string run(Executor* pool = nullptr) {
    Delivery<int> delivery;
    std::size_t openAtDelivery = 99;
    const auto callback = [&, deliver = delivery.callback()](Outcome<int> outcome) {
      openAtDelivery = fake.open();
      deliver(std::move(outcome));
    };
    if (pool)
      chosen.program.onComplete(callback, *pool, source.token());
    else
      chosen.program.onComplete(callback, source.token());
    const std::string ended = test::outcomeText(delivery.outcome());
    INFO(chosen.name << " ended with " << ended << " after " << fake.log());
    CHECK(delivery.count() == 1);
    CHECK(openAtDelivery == 0);
    CHECK(fake.open() == 0);
    CHECK(fake.faults().empty());
    if (chosen.sequential) CHECK(fake.outOfOrder() == 0);
    return ended;
  }

  FakeResources fake;
  StepPrograms programs{fake};
  StopSource source;
  StepProgram chosen;
};

std::size_t stepsOf(std::size_t program) {
  Attempt whole(program);
  whole.run();
  return whole.fake.events().size();
}

}  // namespace

TEST_CASE("each program, left alone, releases all that it acquires") {
  for (std::size_t program = 0; program < programCount(); ++program) CHECK(stepsOf(program) >= 3);
}

TEST_CASE("a request to stop at any step lets releases run, and acquires nothing any more") {
  for (std::size_t program = 0; program < programCount(); ++program) {
    const std::size_t steps = stepsOf(program);
    for (std::size_t step = 0; step < steps; ++step) {
      Attempt attempt(program);
      attempt.fake.onEvent = [&attempt, step](std::size_t event) {
        if (event == step) attempt.source.requestStop();
      };
      INFO(attempt.chosen.name << ", step " << step);
      attempt.run();
      const auto events = attempt.fake.events();
      const auto later = std::count_if(events.begin() + static_cast<std::ptrdiff_t>(step) + 1, events.end(),
                                       [](const std::string& event) { return event[0] == '+'; });
      INFO(attempt.fake.log());
      if (!attempt.chosen.compoundAcquire) CHECK(later == 0);
    }
  }
}

TEST_CASE("a request to stop before the first release is the outcome, unless there are errors") {
  for (std::size_t program = 0; program < programCount(); ++program) {
    Attempt attempt(program);
    attempt.fake.onEvent = [&attempt](std::size_t event) {
      if (event == 0) attempt.source.requestStop();
    };
    INFO(attempt.chosen.name);
    const auto ended = attempt.run();
    CHECK((ended == "cancelled" || ended.find("release ") != std::string::npos || ended == "body"));
  }
}

TEST_CASE("an error at any step is in the outcome, or was handled, and loses no resource") {
  for (std::size_t program = 0; program < programCount(); ++program) {
    const std::size_t steps = stepsOf(program);
    for (std::size_t step = 0; step < steps; ++step) {
      Attempt attempt(program);
      attempt.fake.onEvent = [step](std::size_t event) {
        if (event == step) throw Injected();
      };
      INFO(attempt.chosen.name << ", step " << step);
      const auto ended = attempt.run();
      CHECK((ended.find("injected") != std::string::npos || attempt.chosen.handlesErrors));
    }
  }
}

TEST_CASE("an error at one step and a request to stop at another lose no resource") {
  for (std::size_t program = 0; program < programCount(); ++program) {
    const std::size_t steps = stepsOf(program);
    for (std::size_t failing = 0; failing < steps; ++failing)
      for (std::size_t stopping = 0; stopping < steps; ++stopping) {
        Attempt attempt(program);
        attempt.fake.onEvent = [&attempt, failing, stopping](std::size_t event) {
          if (event == stopping) attempt.source.requestStop();
          if (event == failing) throw Injected();
        };
        INFO(attempt.chosen.name << ", error at " << failing << ", stop at " << stopping);
        attempt.run();
      }
  }
}

TEST_CASE("an error and a request to stop at any step lose no resource on a pool either") {
  ThreadPool pool(3);
  for (std::size_t program = 0; program < programCount(); ++program) {
    const std::size_t steps = stepsOf(program);
    for (std::size_t step = 0; step < steps; ++step)
      for (const bool fails : {false, true}) {
        Attempt attempt(program);
        attempt.fake.onEvent = [&attempt, step, fails](std::size_t event) {
          if (event != step) return;
          if (fails) throw Injected();
          attempt.source.requestStop();
        };
        INFO(attempt.chosen.name << ", step " << step);
        attempt.run(&pool);
      }
  }
}
