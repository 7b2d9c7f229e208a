// Random failures and requests to stop, at random ranks and moments: all ranks agree about every step.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/replica_ranks.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/raii/clock.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t stepsOfARun = 10;

/// What befalls one rank in one step.
enum class Mishap { none, forward, notFinite, gradient, stop, rule, count };

struct Victim {
  std::size_t rank;
  Mishap mishap;
  std::chrono::microseconds after;
};

struct Sulking {
  std::shared_ptr<bool> fails;
  template <class V>
  struct State {};
  double step(const double& weight, double gradient, State<double>&) const {
    if (*fails) throw std::runtime_error("the rule fails");
    return weight - 0.01 * gradient;
  }
};

struct Trio {
  explicit Trio(std::size_t rank) : a(1 + static_cast<double>(rank)) {}
  Weights weights() const { return {{"a", a}, {"b", b}, {"c", c}}; }

  std::shared_ptr<bool> fails = std::make_shared<bool>(false);
  DoubleWeight a;
  DoubleWeight b{2, Sulking{fails}};
  DoubleWeight c{3, momentum({.learningRate = 0.01})};

  /// Adds the weights to the history if they have changed. A rank that is asked to stop when its step has
  /// been taken is cancelled, and has the step nevertheless.
  void record() {
    std::string now =
        std::to_string(a.data()) + " " + std::to_string(b.data()) + " " + std::to_string(c.data());
    if (history.empty() || history.back() != now) history.push_back(std::move(now));
  }
  std::vector<std::string> history;
};

std::vector<Victim> victimsOf(std::uint64_t seed, std::size_t ranks) {
  std::mt19937_64 random(seed);
  std::vector<Victim> victims;
  for (std::size_t step = 0; step < stepsOfARun; ++step)
    victims.push_back({random() % ranks,
                       static_cast<Mishap>(random() % static_cast<std::uint64_t>(Mishap::count)),
                       std::chrono::microseconds(random() % 400)});
  return victims;
}

DoubleLayer pausing(const DoubleLayer& layer, std::chrono::microseconds pause) {
  return DoubleLayer(Do<void>::lift(sleepFor(pause)).flatMap([layer] { return forward(layer); }));
}

Do<void> stepOf(const Replicas& replicas, Trio& model, const Victim& victim) {
  const bool hit = victim.rank == replicas.rank();
  *model.fails = hit && victim.mishap == Mishap::rule;
  DoubleLayer loss = pausing(model.a * model.b, 50us);
  if (replicas.rank() % 2 == 0) loss = loss + pausing(model.c * 2.0, 30us);
  if (hit && victim.mishap == Mishap::forward)
    loss = loss * DoubleLayer(Do<Tape<double, double>>::raiseError(std::runtime_error("forward")));
  if (hit && victim.mishap == Mishap::notFinite) loss = loss * std::numeric_limits<double>::infinity();
  if (hit && victim.mishap == Mishap::gradient) loss = loss + sqrt(model.a - model.a.data());
  const auto trained = train(loss, allReduce(replicas)).map([](double) {});
  if (!hit || victim.mishap != Mishap::stop) return trained;
  return race(trained, Do<void>::lift(sleepFor(victim.after))).map([](const auto&) {});
}

Do<void> stepsFrom(std::size_t step, const Replicas& replicas, Trio& model,
                   const std::shared_ptr<const std::vector<Victim>>& victims) {
  if (step == 0) model.record();
  if (step == victims->size()) return Do<void>::now();
  return Do<void>::suspend([=, &model] { return stepOf(replicas, model, (*victims)[step]); })
      .run()
      .attempt()
      .flatMap([=, &model](const Try<void>&) {
        model.record();
        return stepsFrom(step + 1, replicas, model, victims);
      });
}

}  // namespace

TEST_CASE("all ranks agree about each of 10,000 random steps") {
  const std::uint64_t runs = test::underAddressSanitizer || test::underThreadSanitizer ? 100 : 1'000;
  std::size_t taken = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    CAPTURE(seed);
    const std::size_t ranks = 2 + seed % 3;
    testing::Scheduler scheduler(seed);
    LocalOptions local;
    local.delay = [](std::size_t bytes) { return std::chrono::microseconds(10 + bytes); };
    const auto victims = std::make_shared<const std::vector<Victim>>(victimsOf(seed, ranks));
    const auto [models, ends] = test::onReplicas<Trio>(
        ranks, {.bucketBytes = 8, .passes = 1 + seed % 2, .executor = &scheduler},
        [&](const auto& program) { return scheduler.run(program).get(); },
        [victims](const Replicas& replicas, Trio& model) { return stepsFrom(0, replicas, model, victims); },
        local);
    for (const auto& model : models) {
      CHECK(model->history == models[0]->history);
      CHECK(model->a.data() == models[0]->a.data());
      CHECK(model->c.data() == models[0]->c.data());
    }
    for (const auto& end : ends) CHECK(end == "value");
    taken += models[0]->history.size();
  }
  CHECK(taken > runs);                // some steps are taken
  CHECK(taken < runs * stepsOfARun);  // and some are not
}
