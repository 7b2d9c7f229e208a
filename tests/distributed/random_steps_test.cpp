// Random failures and requests to stop, at random ranks and moments: all ranks agree about every step.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/ranks/replica_ranks.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t stepsOfARun = 10;

/// The fault of one rank in one step.
enum class Mishap { none, forward, notFinite, gradient, stop, rule, count };

/// What one rank does in one step.
struct RankPlan {
  double examples;  ///< 0 for a rank that joins the step of the others
  std::size_t batches;
  std::int64_t row;  ///< of the table
};

struct StepPlan {
  std::size_t victim;  ///< a rank
  Mishap mishap;
  std::chrono::microseconds after;
  std::vector<RankPlan> parts;  ///< of the ranks

  /// Whether the mishap fails the step. For a request to stop, the moment decides.
  bool fails() const {
    if (mishap == Mishap::none) return false;
    const auto hasExamples = [](const RankPlan& part) { return part.examples != 0; };
    return mishap == Mishap::rule ? std::ranges::any_of(parts, hasExamples) : hasExamples(parts[victim]);
  }
};

/// How a step of one rank has ended.
struct StepEnd {
  explicit StepEnd(const Try<void>& end) : text(end.hasValue() ? "value" : test::errorText(end.error())) {
    try {
      Try<void>(end).valueOrThrow();
    } catch (const RankError& error) {
      ranksAtFault = error.ranks();
    } catch (...) {  // an error of the rank itself
    }
  }

  std::string text;  ///< "value", or the error's
  std::vector<std::size_t> ranksAtFault;
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

struct Mixed {
  explicit Mixed(std::size_t rank) : a(1 + static_cast<double>(rank)) {}
  Weights weights() const { return {{"a", a}, {"b", b}, {"c", c}, {"table", table}}; }

  std::shared_ptr<bool> fails = std::make_shared<bool>(false);
  DoubleWeight a;
  DoubleWeight b{2, Sulking{fails}};
  DoubleWeight c{3, momentum({.learningRate = 0.01})};
  DoubleTableWeight table{Table<double>(Tensor<double>::full({4, 2}, 1)), momentum({.learningRate = 0.01})};

  /// Adds the weights to the history if they have changed. A rank that is asked to stop when its step has
  /// been taken is cancelled, and has the step nevertheless.
  void record() {
    std::string now =
        std::to_string(a.data()) + " " + std::to_string(b.data()) + " " + std::to_string(c.data());
    const Tensor<double> rows = table.data().dense();
    for (const double element : rows.values()) now += " " + std::to_string(element);
    if (history.empty() || history.back() != now) history.push_back(std::move(now));
  }
  std::vector<std::string> history;
  std::vector<StepEnd> ends;  ///< of all steps
};

std::vector<StepPlan> stepsOf(std::uint64_t seed, std::size_t ranks) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t end) { return random() % end; };
  std::vector<StepPlan> steps;
  for (std::size_t i = 0; i < stepsOfARun; ++i) {
    StepPlan step{below(ranks),
                  static_cast<Mishap>(below(static_cast<std::size_t>(Mishap::count))),
                  std::chrono::microseconds(below(400)),
                  {}};
    for (std::size_t rank = 0; rank < ranks; ++rank)
      step.parts.push_back(
          {static_cast<double>(below(4)), 1 + below(2), static_cast<std::int64_t>(below(4))});
    steps.push_back(std::move(step));
  }
  return steps;
}

DoubleLayer pausing(const DoubleLayer& layer, std::chrono::microseconds pause) {
  return DoubleLayer(Do<void>::lift(sleepFor(pause)).flatMap([layer] { return forward(layer); }));
}

/// A loss of every kind of weight; some weights are not used by all ranks.
DoubleLayer lossOf(const Replicas& replicas, const Mixed& model, const RankPlan& part) {
  DoubleLayer loss = pausing(model.a * model.b, 50us);
  if (replicas.rank() % 2 == 0) loss = loss + pausing(model.c * 2.0, 30us);
  if (part.row != 0) loss = loss + sum(embedding(model.table, Indices({part.row})));
  return loss;
}

DoubleLayer spoilt(const DoubleLayer& loss, const Mixed& model, Mishap mishap) {
  if (mishap == Mishap::forward)
    return loss * DoubleLayer(Do<Tape<double, double>>::raiseError(std::runtime_error("forward")));
  if (mishap == Mishap::notFinite) return loss * std::numeric_limits<double>::infinity();
  if (mishap == Mishap::gradient) return loss + sqrt(model.a - model.a.data());
  return loss;
}

Do<void> trained(const Replicas& replicas, const Mixed& model, const RankPlan& part, Mishap mishap) {
  if (part.examples == 0) return joinStep(replicas);
  const DoubleLayer loss = spoilt(lossOf(replicas, model, part), model, mishap);
  const Reduction reduction = allReduce(replicas, {.weight = part.examples});
  if (part.batches == 1) return train(loss, reduction).map([](double) {});
  const DoubleLayer first = lossOf(replicas, model, part);
  return trainMicroBatches(
             std::vector<std::size_t>{0, 1}, 2, [=](std::size_t batch) { return batch == 0 ? first : loss; },
             reduction)
      .map([](const auto&) {});
}

Do<void> stepOf(const Replicas& replicas, Mixed& model, const StepPlan& step) {
  const Mishap mishap = step.victim == replicas.rank() ? step.mishap : Mishap::none;
  *model.fails = mishap == Mishap::rule;
  const auto program = trained(replicas, model, step.parts[replicas.rank()], mishap);
  if (mishap != Mishap::stop) return program;
  return race(program, Do<void>::lift(sleepFor(step.after))).map([](const auto&) {});
}

Do<void> stepsFrom(std::size_t step, const Replicas& replicas, Mixed& model,
                   const std::shared_ptr<const std::vector<StepPlan>>& steps) {
  if (step == 0) model.record();
  if (step == steps->size()) return Do<void>::now();
  return Do<void>::suspend([=, &model] { return stepOf(replicas, model, (*steps)[step]); })
      .run()
      .attempt()
      .flatMap([=, &model](const Try<void>& end) {
        model.ends.emplace_back(end);
        model.record();
        return stepsFrom(step + 1, replicas, model, steps);
      });
}

using Models = std::vector<std::shared_ptr<Mixed>>;

/// Checks that all ranks but the victim have ended the step alike, and, if it has failed, by an error that
/// names the victim and its reason. Counts a failed step in `failed`.
void expectAgreement(const StepPlan& step, std::size_t number, const Models& models, std::size_t& failed) {
  CAPTURE(number);
  const std::string& own = models[step.victim]->ends[number].text;
  const StepEnd& other = models[step.victim == 0 ? 1 : 0]->ends[number];
  for (std::size_t rank = 0; rank < models.size(); ++rank)
    if (rank != step.victim) CHECK(models[rank]->ends[number].text == other.text);
  const std::string who = "tapestry::train: rank " + std::to_string(step.victim);
  if (step.mishap == Mishap::stop) {
    CHECK(own == "value");  // of the race
    if (other.text == "value") return;
    CHECK(other.text == who + " was asked to stop");
  } else if (step.fails()) {
    CHECK(own != "value");
    CHECK(other.text == who + " has failed: " + own);
  } else {
    CHECK(own == "value");
    CHECK(other.text == "value");
    return;
  }
  CHECK(other.ranksAtFault == std::vector{step.victim});
  ++failed;
}

void expectSameModels(const Models& models) {
  for (const auto& model : models) {
    CHECK(model->history == models[0]->history);
    CHECK(model->a.data() == models[0]->a.data());
    CHECK(model->c.data() == models[0]->c.data());
    CHECK(model->table.data().dense() == models[0]->table.data().dense());
    CHECK(model.use_count() == 1);  // no program is left
  }
}

/// Trains each rank by its part of the steps, in an order that the seed decides.
Models trainedBy(const std::shared_ptr<const std::vector<StepPlan>>& steps, std::uint64_t seed,
                 std::size_t ranks) {
  testing::Scheduler scheduler(seed);
  LocalOptions local;
  local.delay = [](std::size_t bytes) { return std::chrono::microseconds(10 + bytes); };
  auto [models, ends] = test::onReplicas<Mixed>(
      ranks, {.bucketBytes = 8, .passes = 1 + seed % 2, .executor = &scheduler},
      [&](const auto& program) { return scheduler.run(program).get(); },
      [steps](const Replicas& replicas, Mixed& model) { return stepsFrom(0, replicas, model, steps); },
      local);
  for (const auto& end : ends) CHECK(end == "value");
  return std::move(models);
}

}  // namespace

TEST_CASE("all ranks agree about each of 10,000 random steps") {
  const std::uint64_t runs = test::underAddressSanitizer || test::underThreadSanitizer ? 100 : 1'000;
  std::size_t taken = 0, failed = 0;
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    CAPTURE(seed);
    const std::size_t ranks = 2 + seed % 3;
    const auto steps = std::make_shared<const std::vector<StepPlan>>(stepsOf(seed, ranks));
    const Models models = trainedBy(steps, seed, ranks);
    expectSameModels(models);
    taken += models[0]->history.size();
    for (std::size_t i = 0; i < steps->size(); ++i) expectAgreement((*steps)[i], i, models, failed);
  }
  CHECK(taken > runs);                // some steps are taken
  CHECK(taken < runs * stepsOfARun);  // and some are not
  CHECK(failed > runs * stepsOfARun / 4);
}
