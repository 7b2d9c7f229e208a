// An exchange sees each gradient when it is complete, and decides whether a pass takes its step.
#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/error_text.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/deeplearning/extend/exchange.hpp"

using namespace tapestry;
using extend::Gradient;
using extend::PassGradients;
using extend::WeightId;

namespace {

std::string textOf(const std::exception_ptr& error) { return test::errorText(error); }
template <class A>
std::string failureOf(const Do<A>& program) {
  return test::errorOf([&] { program.blockingAwait(); });
}

/// Stands for passes elsewhere: it records the calls, doubles what was complete before the end of the
/// backward computation, and fails if told to.
class Recorder final : public extend::Exchange {
 public:
  void complete(PassGradients pass, WeightId weight) noexcept override {
    const std::lock_guard lock(mutex);
    completed.push_back(weight);
    taken.emplace_back(weight, pass.take(weight));
  }

  Do<double> settle(PassGradients pass, std::exception_ptr failure) override {
    settled.push_back(failure ? textOf(failure) : "fine");
    if (failure) return Do<double>::raiseError(failure);
    if (refuses) return Do<double>::raiseError(std::runtime_error("another pass has failed"));
    for (const auto& [weight, gradient] : taken) {
      CHECK(!pass.isTouched(weight));
      pass.put(weight, gradient);
    }
    touched = pass.touched().size();
    return Do<double>::now(factor);
  }

  Do<void> agree(std::exception_ptr failure) override {
    agreed.push_back(failure ? textOf(failure) : "fine");
    return disagrees ? Do<void>::raiseError(std::runtime_error("another step has failed")) : Do<void>::now();
  }

  Reduction reduction(const std::shared_ptr<Recorder>& self) const {
    return {Do<std::shared_ptr<extend::Exchange>>::delay([self] { return self; })};
  }

  double factor = 1;
  bool refuses = false, disagrees = false;
  std::size_t touched = 0;
  std::mutex mutex;
  std::vector<WeightId> completed;
  std::vector<std::pair<WeightId, Gradient>> taken;
  std::vector<std::string> settled, agreed;
};

struct Fixture {
  std::shared_ptr<Recorder> recorder = std::make_shared<Recorder>();
  Reduction reduction = recorder->reduction(recorder);
  DoubleWeight a{2, sgd(0.5)};
  DoubleWeight b{3, sgd(0.5)};
};

/// Throws at its step.
struct Refusing {
  template <class V>
  struct State {};
  template <class V>
  V step(const V&, V, State<V>&) const {
    throw std::runtime_error("no step");
  }
};

/// Data of a user's own, which has no gradient that can be taken.
struct Angle {
  double degrees;
  Angle& operator+=(const Angle& other) {
    degrees += other.degrees;
    return *this;
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "each weight is complete once, and the step uses what settle has left") {
  recorder->factor = 0.25;
  CHECK(train(a * a + a * b, reduction).blockingAwait() == 10);
  CHECK(recorder->completed.size() == 2);
  CHECK(std::ranges::count(recorder->completed, WeightId(a)) == 1);
  CHECK(recorder->touched == 2);
  CHECK(recorder->settled == std::vector<std::string>{"fine"});
  CHECK(recorder->agreed == std::vector<std::string>{"fine"});
  CHECK(a.data() == 2 - 0.5 * 0.25 * 7);
  CHECK(b.data() == 3 - 0.5 * 0.25 * 2);
}

TEST_CASE_FIXTURE(Fixture, "a gradient is complete before the backward computation of what comes later") {
  // the program of the first operand leaves its weight only when the other operand has been flushed
  std::vector<std::string> order;
  const auto told = [&](const char* name, const DoubleLayer& layer) {
    return DoubleLayer(forward(layer).map([&order, name](const auto& tape) {
      return Tape<double, double>(tape.data, [&order, name, tape](const Do<double>& delta) {
        order.push_back(name);
        return tape.backward(delta);
      });
    }));
  };
  const DoubleLayer deep = told("deep", exp(told("deeper", exp(b * 0.1))));
  train(a * deep, reduction).blockingAwait();
  REQUIRE(recorder->completed.size() == 2);
  CHECK(recorder->completed.front() == WeightId(a));
  CHECK(order == std::vector<std::string>{"deep", "deeper"});
}

TEST_CASE_FIXTURE(Fixture, "a weight is complete after the deltas of all its uses") {
  ThreadPool pool(2);
  train(a * b + exp(a) + a, reduction).blockingAwait(pool);
  REQUIRE(recorder->taken.size() == 2);
  for (const auto& [weight, gradient] : recorder->taken)
    if (weight == WeightId(a))
      CHECK(std::get<Tensor<double>>(gradient).item() == doctest::Approx(3 + std::exp(2.0) + 1));
}

TEST_CASE_FIXTURE(Fixture, "a failed forward reaches settle, and no step is taken") {
  const auto fails = DoubleLayer(Do<Tape<double, double>>::raiseError(std::runtime_error("forward")));
  CHECK(failureOf(train(a * b + fails, reduction)) == "forward");
  CHECK(recorder->settled == std::vector<std::string>{"forward"});
  CHECK(recorder->agreed.empty());
  CHECK(a.data() == 2);
}

TEST_CASE_FIXTURE(Fixture, "a loss that is not finite reaches settle") {
  CHECK(failureOf(train(log(a - 2), reduction)).find("the loss is not finite") != std::string::npos);
  CHECK(recorder->settled.size() == 1);
  CHECK(a.data() == 2);
}

TEST_CASE_FIXTURE(Fixture, "a failure elsewhere fails the pass, and the next pass works") {
  recorder->refuses = true;
  CHECK(failureOf(train(a * b, reduction)) == "another pass has failed");
  CHECK(a.data() == 2);
  recorder->refuses = false;
  recorder->taken.clear();
  train(a * b, reduction).blockingAwait();
  CHECK(a.data() == 0.5);
}

TEST_CASE_FIXTURE(Fixture, "a disagreement after the preparation fails the pass") {
  recorder->disagrees = true;
  CHECK(failureOf(train(a * b, reduction)) == "another step has failed");
  CHECK(a.data() == 2);
  CHECK(b.data() == 3);
}

TEST_CASE_FIXTURE(Fixture, "an optimizer that fails is reported to the others") {
  const DoubleWeight refusing(1, Refusing{});
  CHECK(failureOf(train(a * refusing, reduction)) == "no step");
  CHECK(recorder->agreed == std::vector<std::string>{"no step"});
  CHECK(a.data() == 2);
}

TEST_CASE_FIXTURE(Fixture, "a request to stop during the pass reaches settle as Cancelled") {
  const StopSource source;
  const auto stops = DoubleLayer(forward(a).map([source](const auto& tape) {
    source.requestStop();
    return tape;
  }));
  CHECK_THROWS_AS(train(stops * b, reduction).blockingAwait(source.token()), Cancelled);
  REQUIRE(recorder->settled.size() == 1);
  CHECK(a.data() == 2);
}

TEST_CASE_FIXTURE(Fixture, "gradients are clipped after the exchange") {
  recorder->factor = 100;
  train(a * 3.0 + b * 4.0, reduction, clipByGlobalNorm(5)).blockingAwait();
  CHECK(a.data() == doctest::Approx(2 - 0.5 * 3));
  CHECK(b.data() == doctest::Approx(3 - 0.5 * 4));
}

TEST_CASE_FIXTURE(Fixture, "an exchange takes the means of micro batches") {
  const std::vector<double> batches{1, 2, 3};
  trainMicroBatches(
      batches, 2, [this](double x) { return a * x; }, reduction)
      .blockingAwait();
  CHECK(recorder->completed.empty());
  CHECK(recorder->touched == 1);
  CHECK(a.data() == 2 - 0.5 * 2);
}

TEST_CASE_FIXTURE(Fixture, "an error of scaling the gradients of micro batches reaches settle") {
  const auto degrees = unaryOperation<"degrees", Keep::nothing>(
      [](const Angle& angle) { return angle.degrees; }, [](double delta) { return Angle{delta}; });
  const Weight<Angle> angle(Angle{2}, Refusing{});
  const auto lossOf = [&](double x) { return degrees(angle) * x; };
  const std::string error = failureOf(trainMicroBatches(std::vector<double>{1, 2}, 1, lossOf, reduction));
  CHECK(error.find("TensorForm") != std::string::npos);
  CHECK(recorder->settled == std::vector<std::string>{error});
  CHECK(recorder->agreed.empty());
}

TEST_CASE_FIXTURE(Fixture, "a program reads a running average that batchNorm has used in the same pass") {
  const BatchNorm<> norm(1);
  const TensorLayer reading(
      norm.statistics.mean.read().flatMap([](const Tensor<float>& value) { return forward(value); }));
  const auto [loss, read] =
      train(mean(norm(Tensor<float>({2, 1}, {1, 3}))), reduction, reading).blockingAwait();
  CHECK(loss == doctest::Approx(0));
  CHECK(read == Tensor<float>::zeros({1}));
  CHECK(norm.statistics.mean.data()(0) == doctest::Approx(0.1 * 2));
}

TEST_CASE_FIXTURE(Fixture, "layers to observe are yielded with the loss") {
  const auto product = a * b;
  const auto [loss, observed] = train(product * 2.0, reduction, product).blockingAwait();
  CHECK(loss == 12);
  CHECK(observed == 6);
}
