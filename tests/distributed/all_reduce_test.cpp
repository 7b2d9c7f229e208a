// Ranks that train replicas take the steps of one rank that has all examples, or none of them steps.
#include "tapestry/distributed/all_reduce.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/ranks/recording_communicator.hpp"
#include "support/ranks/replica_ranks.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/lift.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::onReplicas;

namespace {

using Strings = std::vector<std::string>;

/// Two numbers; those of another rank than 0 begin with other values.
struct Pair {
  explicit Pair(std::size_t rank) : a(rank == 0 ? 2 : 7, sgd(0.5)), b(rank == 0 ? 3 : 8, sgd(0.5)) {}
  Weights weights() const { return {{"a", a}, {"b", b}}; }
  DoubleWeight a, b;
};

/// SGD that fails when it is told to.
struct Stubborn {
  bool* fails;
  template <class V>
  struct State {};
  double step(const double& weight, double gradient, State<double>&) const {
    if (*fails) throw std::runtime_error("moody");
    return weight - gradient;
  }
};

Do<void> steps(std::size_t count, std::function<Do<void>()> step) {
  if (count == 0) return Do<void>::now();
  return Do<void>::suspend([step] { return step(); }).run().flatMap([count, step] {
    return steps(count - 1, step);
  });
}

Do<void> trainOnce(const DoubleLayer& loss, const Reduction& reduction) {
  return train(loss, reduction).map([](double) {});
}

const std::string fine = "value";

}  // namespace

TEST_CASE("all ranks begin with the weights of rank 0, and step by the mean of their gradients") {
  const auto [models, ends] = onReplicas<Pair>(3, [](const Replicas& replicas, const Pair& model) {
    const double factor = static_cast<double>(replicas.rank()) + 1;
    return trainOnce(model.a * factor + model.b, allReduce(replicas));
  });
  CHECK(ends == Strings(3, fine));
  for (const auto& model : models) {
    CHECK(model->a.data() == 2 - 0.5 * 2);
    CHECK(model->b.data() == 3 - 0.5);
  }
}

TEST_CASE(
    "weights that some ranks have not used get zeros from them, and weights that none has used no step") {
  struct Momenta {
    explicit Momenta(std::size_t) {}
    Weights weights() const { return {{"a", a}, {"b", b}, {"c", c}}; }
    DoubleWeight a{1, momentum({.learningRate = 1})};
    DoubleWeight b{1, momentum({.learningRate = 1})};
    DoubleWeight c{1, momentum({.learningRate = 1})};
  };
  const auto [models, ends] = onReplicas<Momenta>(2, [](const Replicas& replicas, const Momenta& model) {
    const bool first = replicas.rank() == 0;
    return trainOnce(first ? model.a * 1.0 : model.b * 1.0 + model.a * 0.0, allReduce(replicas)).flatMap([=] {
      return trainOnce(first ? model.a * 2.0 : model.b * 2.0, allReduce(replicas));
    });
  });
  CHECK(ends == Strings(2, fine));
  for (const auto& model : models) {
    CHECK(model->a.data() == 1 - 0.5 - (0.9 * 0.5 + 1));
    CHECK(model->b.data() == 1 - 0.5 - (0.9 * 0.5 + 1));
    CHECK(model->c.data() == 1);
  }
}

TEST_CASE("the ranks' weights in the mean are their shares") {
  const auto [models, ends] = onReplicas<Pair>(2, [](const Replicas& replicas, const Pair& model) {
    const double examples = replicas.rank() == 0 ? 3 : 1;
    return trainOnce(model.a * (replicas.rank() == 0 ? 1.0 : 5.0), allReduce(replicas, {.weight = examples}));
  });
  CHECK(ends == Strings(2, fine));
  for (const auto& model : models) CHECK(model->a.data() == 2 - 0.5 * (3 * 1 + 1 * 5) / 4);
}

TEST_CASE("a rank without examples joins the step of the others") {
  const auto [models, ends] = onReplicas<Pair>(3, [](const Replicas& replicas, const Pair& model) {
    return replicas.rank() == 1 ? joinStep(replicas) : trainOnce(model.a * 4.0, allReduce(replicas));
  });
  CHECK(ends == Strings(3, fine));
  for (const auto& model : models) CHECK(model->a.data() == 0);
}

TEST_CASE("a world of one trains as without replicas") {
  const auto [models, ends] = onReplicas<Pair>(1, [](const Replicas& replicas, const Pair& model) {
    return trainOnce(model.a * model.b, allReduce(replicas));
  });
  CHECK(ends == Strings(1, fine));
  CHECK(models[0]->a.data() == 0.5);
}

TEST_CASE("a world of one makes no collective in a step") {
  const auto log = std::make_shared<test::Log>();
  const Pair model(0);
  const auto stepsAlone = [=](const Replicas& replicas) {
    CHECK(!log->entries().empty());  // those of replicate
    log->clear();
    const std::vector<double> batches{1, 2};
    return trainOnce(model.a * model.b, allReduce(replicas))
        .flatMap([=] {
          return trainMicroBatches(
              batches, 1, [=](double x) { return model.a * x; }, allReduce(replicas));
        })
        .flatMap([=](const std::vector<double>&) { return joinStep(replicas); })
        .map([=] { CHECK(log->entries() == Strings()); });
  };
  const test::RecordingCommunicator alone{localCommunicators(1)[0], log, {}};
  replicate(alone, model).flatMap(stepsAlone).run().blockingAwait();
  CHECK(log->entries() == Strings());  // also at the end
  CHECK(model.a.data() == 0.5 - 0.5 * 1.5);
}

TEST_CASE("tables exchange the rows that were read, and not all rows") {
  struct Wide {
    explicit Wide(std::size_t) {}
    Weights weights() const { return {{"table", table}}; }
    DoubleTableWeight table{Table<double>(Tensor<double>::zeros({10'000, 4})), sgd(1)};
  };
  std::size_t greatest = 0;
  LocalOptions local;
  local.delay = [&](std::size_t bytes) {
    greatest = std::max(greatest, bytes);
    return Clock::Duration::zero();
  };
  const auto body = [&](const Replicas& replicas, const Wide& model) {
    greatest = 0;  // replicate has sent the table; no collective of the step has all ranks yet
    const auto row = static_cast<std::int64_t>(replicas.rank());
    return trainOnce(sum(embedding(model.table, Indices({9'000 + row}))), allReduce(replicas));
  };
  const auto [models, ends] = onReplicas<Wide>(2, body, local);
  CHECK(ends == Strings(2, fine));
  CHECK(greatest >= 4 * sizeof(double));
  CHECK(greatest < 1'000);
  for (const auto& model : models)
    for (std::size_t row = 8'999; row < 9'003; ++row)
      CHECK(model->table.data().dense()(row, 0) == (row == 9'000 || row == 9'001 ? -0.5 : 0.0));
}

TEST_CASE("gradients are clipped after they have been combined") {
  const auto [models, ends] = onReplicas<Pair>(2, [](const Replicas& replicas, const Pair& model) {
    const double sign = replicas.rank() == 0 ? 100 : -94;
    return train(model.a * sign + model.b * 4.0, allReduce(replicas), clipByGlobalNorm(2.5)).map([](double) {
    });
  });
  CHECK(ends == Strings(2, fine));
  for (const auto& model : models) {
    CHECK(model->a.data() == doctest::Approx(2 - 0.5 * 1.5));
    CHECK(model->b.data() == doctest::Approx(3 - 0.5 * 2));
  }
}

TEST_CASE("a rank that fails fails all, with its rank and its reason, and the next step works") {
  const auto [models, ends] = onReplicas<Pair>(3, [](const Replicas& replicas, const Pair& model) {
    const auto wrong = DoubleLayer(Do<Tape<double, double>>::raiseError(std::runtime_error("no batch")));
    return trainOnce(replicas.rank() == 1 ? model.a * wrong : model.a * 1.0, allReduce(replicas))
        .handleError([=](const std::exception_ptr& error) {
          const std::string expected = "tapestry::train: rank 1 has failed: no batch";
          CHECK(test::errorText(error) == (replicas.rank() == 1 ? "no batch" : expected));
          CHECK(model.a.data() == 2);
          return trainOnce(model.a * 2.0, allReduce(replicas));
        });
  });
  CHECK(ends == Strings(3, fine));
  for (const auto& model : models) CHECK(model->a.data() == 1);
}

TEST_CASE(
    "a loss that is not finite, a gradient that is not finite, and a failing optimizer fail all ranks") {
  struct Model {
    explicit Model(std::size_t) {}
    Weights weights() const { return {{"a", a}, {"moody", moody}}; }
    bool fails = false;
    DoubleWeight a{1, sgd(1)};
    DoubleWeight moody{1, Stubborn{&fails}};
  };
  const double infinity = std::numeric_limits<double>::infinity();
  const auto attempt = [](const Replicas& replicas, const DoubleLayer& loss, std::string expected) {
    return train(loss, allReduce(replicas)).attempt().map([=](const Try<double>& end) {
      const std::string text = test::errorText(end.error());
      CHECK_MESSAGE(text.find(expected) != std::string::npos, text);
      CHECK((text.find("rank 0 has failed") != std::string::npos) == (replicas.rank() != 0));
    });
  };
  const auto [models, ends] = onReplicas<Model>(2, [=](const Replicas& replicas, Model& model) {
    const bool first = replicas.rank() == 0;
    return attempt(replicas, first ? model.a * infinity : model.a * 1.0, "the loss is not finite")
        .flatMap([=, &model] {
          // the value is finite, and the derivative of the root at 0 is not
          const auto loss = first ? sqrt(model.a - 1.0) : DoubleLayer(model.a * 1.0);
          return attempt(replicas, loss, "the gradient of \"a\" is not finite");
        })
        .flatMap([=, &model] {
          model.fails = first;
          return attempt(replicas, model.moody * model.a, "moody");
        })
        .flatMap([=, &model] {
          CHECK(model.a.data() == 1);
          model.fails = false;
          return trainOnce(model.a * 1.0, allReduce(replicas));
        });
  });
  CHECK(ends == Strings(2, fine));
  for (const auto& model : models) CHECK(model->a.data() == 0);
}

TEST_CASE("a rank that is asked to stop during its pass fails the other ranks, whose errors name it") {
  const auto [models, ends] = onReplicas<Pair>(2, [](const Replicas& replicas, const Pair& model) {
    const StopSource source;
    const auto loss = DoubleLayer(forward(model.a * 1.0).map([=](const auto& tape) {
      source.requestStop();
      return tape;
    }));
    if (replicas.rank() != 0) return trainOnce(model.a * 1.0, allReduce(replicas));
    return Do<void>::async([=](const Callback<Try<void>>& callback) {
      trainOnce(loss, allReduce(replicas))
          .onComplete(
              [callback](const Outcome<void>& end) {
                CHECK_MESSAGE(end.isCancelled(), test::outcomeText(end));
                callback(Try<void>::success({}));
              },
              source.token());
    });
  });
  CHECK(ends == Strings{fine, "tapestry::train: rank 0 was asked to stop"});
  for (const auto& model : models) CHECK(model->a.data() == 2);
}

TEST_CASE("a rank that leaves its replicas fails the passes of the others") {
  const auto [models, ends] = onReplicas<Pair>(3, [](const Replicas& replicas, const Pair& model) {
    if (replicas.rank() == 2) return Do<void>::raiseError(std::runtime_error("out of data"));
    return trainOnce(model.a * 1.0, allReduce(replicas)).handleError([=](const std::exception_ptr& first) {
      CHECK(test::errorText(first) == "tapestry::train: rank 2 has left its replicas");
      return trainOnce(model.a * 1.0, allReduce(replicas));  // fails at once
    });
  });
  CHECK(ends == Strings{"tapestry::train: rank 2 has left its replicas",
                        "tapestry::train: rank 2 has left its replicas", "out of data"});
}

TEST_CASE("a rank that does not come fails the others after the time limit, and later passes at once") {
  testing::Scheduler scheduler;
  LocalOptions local;
  local.timeLimit = std::chrono::seconds(5);
  const auto onScheduler = [&](const auto& program) { return scheduler.run(program).get(); };
  const auto [models, ends] = onReplicas<Pair>(
      2, {.executor = &scheduler}, onScheduler,
      [](const Replicas& replicas, const Pair& model) {
        if (replicas.rank() == 1) return Do<void>::lift(sleepFor(std::chrono::hours(1)));
        return trainOnce(model.a * 1.0, allReduce(replicas))
            .handleError([=](const std::exception_ptr& first) {
              CHECK_MESSAGE(test::errorText(first).find("rank 1") != std::string::npos,
                            test::errorText(first));
              return trainOnce(model.a * 1.0, allReduce(replicas));
            });
      },
      local);
  CHECK(ends[0].find("rank 1") != std::string::npos);
  CHECK(models[0]->a.data() == 2);
}

TEST_CASE("a weight that the model does not list fails all ranks") {
  const DoubleWeight unlisted(1);
  const auto [models, ends] = onReplicas<Pair>(2, [=](const Replicas& replicas, const Pair& model) {
    return trainOnce(replicas.rank() == 0 ? model.a * unlisted : model.a * 1.0, allReduce(replicas));
  });
  CHECK(ends[0].find("a weight that the replicas do not have") != std::string::npos);
  CHECK(ends[1].find("rank 0 has failed: ") != std::string::npos);
}

TEST_CASE("passes of one rank that run at the same time do not mix") {
  ThreadPool pool(3);
  const auto onPool = [&](const auto& program) { return program.blockingAwait(pool); };
  for (const std::size_t passes : {1, 2, 3}) {
    const auto body = [](const Replicas& replicas, const Pair& model) {
      return steps(50, [=] {
        const auto first = train(model.a * 1.0, allReduce(replicas));
        const auto second = train(model.b * 2.0, allReduce(replicas));
        return tuple2(parallel(first), parallel(second)).map([](const auto&) {});
      });
    };
    const auto [models, ends] = onReplicas<Pair>(2, {.passes = passes}, onPool, body);
    CHECK(ends == Strings(2, fine));
    CHECK(models[0]->a.data() == models[1]->a.data());
    CHECK(models[0]->b.data() == models[1]->b.data());
    CHECK(models[0]->a.data() == 2 - 50 * 0.5);
    CHECK(models[0]->b.data() == 3 - 50 * 0.5 * 2);
  }
}

TEST_CASE("a pass that fails between others does not keep them waiting, in every order") {
  using std::chrono::microseconds;
  const auto after = [](const DoubleLayer& layer, microseconds pause) {
    return DoubleLayer(lift(sleepFor(pause)).flatMap([layer] { return forward(layer); }));
  };
  const auto body = [after](const Replicas& replicas, const Pair& model) {
    const auto fails = DoubleLayer(Do<Tape<double, double>>::raiseError(std::runtime_error("no batch")));
    const auto second = replicas.rank() == 1 ? model.a * fails : model.a * 1.0;
    const auto begin = [=](const DoubleLayer& loss, microseconds pause) {
      return parallel(lift(sleepFor(pause)).flatMap([=] { return trainOnce(loss, allReduce(replicas)); }));
    };
    const auto endOf = trainOnce(second, allReduce(replicas));
    const auto failing = lift(sleepFor(microseconds(1))).flatMap([=] {
      return endOf.attempt().map([](const Try<void>& end) { CHECK(!end.hasValue()); });
    });
    const auto others = tuple2(begin(after(model.a * 1.0, microseconds(100)), microseconds(0)),
                               begin(after(model.a * 1.0, microseconds(98)), microseconds(2)));
    return tuple2(parallel(others.map([](const auto&) {})), parallel(failing)).map([](const auto&) {});
  };
  LocalOptions local;
  local.delay = [](std::size_t) { return microseconds(10); };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    testing::Scheduler scheduler(seed);
    const auto onScheduler = [&](const auto& program) { return scheduler.run(program).get(); };
    const auto [models, ends] =
        onReplicas<Pair>(2, {.passes = 3, .executor = &scheduler}, onScheduler, body, local);
    CHECK(ends == Strings(2, fine));
    for (const auto& model : models) CHECK(model->a.data() == 2 - 2 * 0.5);
  }
}

TEST_CASE("weights in the mean that are all 0 fail their pass alone") {
  const auto [models, ends] = onReplicas<Pair>(2, [](const Replicas& replicas, const Pair& model) {
    return trainOnce(model.a * 1.0, allReduce(replicas, {.weight = 0}))
        .handleError([=](const std::exception_ptr& error) {
          CHECK(test::errorText(error).find("the weights of all ranks in the mean are 0") !=
                std::string::npos);
          return trainOnce(model.a * 2.0, allReduce(replicas));
        });
  });
  CHECK(ends == Strings(2, fine));
  for (const auto& model : models) CHECK(model->a.data() == 2 - 0.5 * 2);
}

TEST_CASE("micro batches of ranks with other numbers of them are means of each rank's") {
  const auto [models, ends] = onReplicas<Pair>(2, [](const Replicas& replicas, const Pair& model) {
    const std::vector<double> batches(replicas.rank() == 0 ? 2 : 4, replicas.rank() == 0 ? 1.0 : 5.0);
    return trainMicroBatches(
               batches, 1, [model](double x) { return model.a * x; }, allReduce(replicas))
        .flatMap([replicas](const std::vector<double>&) { return checkSame(replicas); });
  });
  CHECK(ends == Strings(2, fine));
  for (const auto& model : models) CHECK(model->a.data() == 2 - 0.5 * (1 + 5) / 2);
}

TEST_CASE("rows of a table that are not finite fail all ranks, which can name the rank and the table") {
  struct Rows {
    explicit Rows(std::size_t) {}
    Weights weights() const { return {{"table", table}}; }
    DoubleTableWeight table{Table<double>(Tensor<double>::full({3, 1}, 1)), sgd(1)};
  };
  const auto [models, ends] = onReplicas<Rows>(2, [](const Replicas& replicas, const Rows& model) {
    const auto rows = embedding(model.table, Indices{1, 1});
    // the derivative of the root at 0 is not finite
    return trainOnce(replicas.rank() == 1 ? sum(sqrt(rows - 1.0)) : sum(rows), allReduce(replicas))
        .handleError([=](const std::exception_ptr& error) {
          const std::string text = test::errorText(error);
          CHECK_MESSAGE(text.find("the gradient of \"table\" is not finite") != std::string::npos, text);
          CHECK((text.find("rank 1 has failed") != std::string::npos) == (replicas.rank() == 0));
          return trainOnce(sum(rows), allReduce(replicas));
        });
  });
  CHECK(ends == Strings(2, fine));
  for (const auto& model : models) CHECK(model->table.data().dense() == Tensor<double>({3, 1}, {1, -1, 1}));
}

TEST_CASE("a share that is no share is refused") {
  const auto [models, ends] = onReplicas<Pair>(2, [](const Replicas& replicas, const Pair&) {
    CHECK_THROWS_AS(static_cast<void>(allReduce(replicas, {.weight = -1})), std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(allReduce(replicas, {.weight = std::nan("")})), std::invalid_argument);
    return Do<void>::now();
  });
  CHECK(ends == Strings(2, fine));
}
