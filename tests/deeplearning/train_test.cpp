#include <doctest/doctest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "support/networks/evaluations.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::Evaluations;

namespace {

/// The last of so many losses.
template <class L>
double trainTimes(int times, const L& loss) {
  double last = 0;
  while (times-- > 0) last = train(loss).blockingAwait();
  return last;
}

/// Two layers and a dynamic one, over all inputs.
DoubleLayer network(const std::vector<DoubleWeight>& weights) {
  std::vector<DoubleLayer> losses;
  for (int i = 0; i < 40; ++i) {
    const double x = 0.1 * i - 2;
    const auto hidden = tanh(weights[0] * x + weights[1]);
    const DoubleLayer output(forward(hidden).flatMap([=](const auto& tape) {
      return forward(tape.data > 0 ? hidden * weights[2] : hidden * weights[3] + weights[1]);
    }));
    losses.push_back((output - x * x) * (output - x * x));
  }
  return mean(losses);
}

/// The weights after some passes.
template <class Run>
std::vector<double> trained(int passes, const Run& run) {
  std::vector<DoubleWeight> weights;
  for (int i = 0; i < 4; ++i) weights.emplace_back(0.3 * i - 0.5, adam({.learningRate = 0.01}));
  const auto loss = network(weights);
  for (int i = 0; i < passes; ++i) run(train(loss));
  std::vector<double> values;
  for (const auto& weight : weights) values.push_back(weight.data());
  return values;
}

}  // namespace

TEST_CASE("a sum with a weight goes down by one a step") {
  const DoubleWeight weight(1, sgd(1));
  CHECK(trainTimes(5, 6.7 + DoubleLayer(1.0) + weight + 5.5) == doctest::Approx(6.7 + 1 - 3 + 5.5));
  CHECK(weight.data() == -4);
}

TEST_CASE("training ends where the loss is a predicted zero") {
  const DoubleWeight weight(2, sgd(1));
  const auto loss = 1.0 + DoubleLayer(0.0) + weight + 4.0;
  trainTimes(7, loss);
  CHECK(predict(loss).blockingAwait() == 0);
}

TEST_CASE("a thousand passes that jump between threads") {
  test::OtherThread other;
  const DoubleWeight weight(1000, sgd(1));
  const DoubleLayer jumping(other.hop().flatMap([weight] { return forward(weight); }));
  Do<double> all = Do<double>::now(0);
  for (int i = 0; i < 1000; ++i) all = all.flatMap([jumping](double) { return train(jumping); });
  CHECK(all.blockingAwait() == 1);
  CHECK(weight.data() == 0);
}

TEST_CASE("train yields the loss of before the step") {
  const DoubleWeight weight(3, sgd(1));
  CHECK(train(weight * weight).blockingAwait() == 9);
  CHECK(train(weight * weight).blockingAwait() == 9);
  CHECK(weight.data() == 3);
}

TEST_CASE("train also yields the data of other layers of the same pass") {
  const DoubleWeight weight(3, sgd(1));
  const Evaluations count;
  const auto shared = count(weight);
  const std::vector<DoubleLayer> range{shared * 1.0, shared * 2.0};
  CHECK(train(shared * 10.0, shared).blockingAwait() == std::tuple(30.0, 3.0));
  CHECK(weight.data() == -7);
  CHECK(train(shared, range, weight, shared + 1.0).blockingAwait() ==
        std::tuple(-7.0, std::vector<double>{-7, -14}, -7.0, -6.0));
  CHECK(count.forwards() == 2);
  CHECK(count.backwards() == 2);
  CHECK(weight.data() == -8);
}

TEST_CASE("a layer that is only observed sends nothing back") {
  const DoubleWeight weight(3, sgd(1));
  const DoubleWeight observed(5, sgd(1));
  const Evaluations count;
  CHECK(train(weight, count(observed)).blockingAwait() == std::tuple(3.0, 5.0));
  CHECK(count.backwards() == 0);
  CHECK(observed.data() == 5);
}

TEST_CASE("a loss without weights changes nothing") {
  CHECK(train(5.0).blockingAwait() == 5);
  CHECK(train(DoubleLayer(5.0) * 2.0).blockingAwait() == 10);
}

TEST_CASE("the loss may be a tensor, whose sum is minimised") {
  const TensorWeight weight(Tensor<float>({2}, {1, 2}), sgd(1));
  CHECK(train(weight * 3.0F).blockingAwait() == Tensor<float>({2}, {3, 6}));
  CHECK(weight.data() == Tensor<float>({2}, {-2, -1}));
}

TEST_CASE("train is a program, which takes a step each time that it is run") {
  const DoubleWeight weight(3, sgd(1));
  const auto step = train(weight);
  CHECK(weight.data() == 3);
  step.blockingAwait();
  step.blockingAwait();
  CHECK(weight.data() == 1);
}

TEST_CASE("the same training on one thread gives the same bits") {
  const auto run = [](const Do<double>& pass) { pass.blockingAwait(); };
  CHECK(trained(50, run) == trained(50, run));
}

TEST_CASE("training on a pool gives the same as on one thread") {
  ThreadPool pool(2);
  const auto sequential = trained(50, [](const Do<double>& pass) { pass.blockingAwait(); });
  const auto parallel = trained(50, [&](const Do<double>& pass) { pass.blockingAwait(pool); });
  for (std::size_t i = 0; i < sequential.size(); ++i) CHECK(std::abs(sequential[i] - parallel[i]) < 1e-9);
}
