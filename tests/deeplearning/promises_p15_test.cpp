// P15: a weight that is used k times in a pass takes one step, on the sum of its k deltas, after all who read
// it.
#include <doctest/doctest.h>

#include <vector>

#include "support/networks/evaluations.hpp"
#include "support/networks/send_back.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::Evaluations;
using test::sendBack;

namespace {

/// Notes the gradients that it is given.
struct NotingRule {
  std::vector<double>* gradients;

  template <class V>
  struct State {};

  double step(const double& weight, double gradient, State<double>&) const {
    gradients->push_back(gradient);
    return weight - gradient;
  }
};

}  // namespace

TEST_CASE("a weight that is used k times takes one step on the sum of its deltas") {
  std::vector<double> gradients;
  const DoubleWeight weight(1, NotingRule{&gradients});
  CHECK(train(weight + 2.0 * weight + 4.0 * weight).blockingAwait() == 7);
  CHECK(gradients == std::vector<double>{7});
  CHECK(weight.data() == -6);
}

TEST_CASE("each weight of several takes its own step") {
  std::vector<double> gradients;
  const DoubleWeight x(3, NotingRule{&gradients});
  const DoubleWeight y(5, NotingRule{&gradients});
  const DoubleWeight unused(1, NotingRule{&gradients});
  CHECK(train(x * y + x, unused).blockingAwait() == std::tuple(18.0, 1.0));
  CHECK(gradients.size() == 2);
  CHECK(x.data() == 3 - 6);
  CHECK(y.data() == 5 - 3);
  CHECK(unused.data() == 1);
}

TEST_CASE("a weight that is the loss itself takes a step") {
  const DoubleWeight weight(1, sgd(0.5));
  CHECK(train(weight).blockingAwait() == 1);
  CHECK(weight.data() == 0.5);
}

TEST_CASE("all readers in a pass read the value of before the step, on the way back too") {
  const DoubleWeight weight(3, sgd(1));
  Evaluations count;
  count.onBackward = [&] { CHECK(weight.data() == 3); };
  const auto square = count(weight) * weight;
  const DoubleLayer late(sendBack(square).run().flatMap([weight](double) { return forward(weight * 1.0); }));
  CHECK(train(square + late).blockingAwait() == 12);
  CHECK(count.backwards() == 1);
  CHECK(weight.data() == 3 - (6 + 6 + 1));
}

TEST_CASE("a weight that is used from many dynamic layers takes one step, on a pool too") {
  ThreadPool pool(2);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> gradients;
    const DoubleWeight weight(0, NotingRule{&gradients});
    std::vector<DoubleLayer> layers;
    for (int i = 1; i <= 100; ++i)
      layers.emplace_back(
          Do<int>::now(i).flatMap([weight](int k) { return forward(static_cast<double>(k) * weight); }));
    train(sum(layers)).blockingAwait(pool);
    CHECK(gradients == std::vector<double>{5050});
    CHECK(weight.data() == -5050);
  }
}

TEST_CASE("a tensor weight that is used by a product and elementwise takes one step on the sum") {
  const DoubleTensorWeight weight(Tensor<double>({2, 2}, {1, 2, 3, 4}), sgd(1));
  const Tensor<double> x({1, 2}, {10, 100});
  train(sum(matmul(x, weight)) + sum(weight) + sum(matmul(x, weight))).blockingAwait();
  CHECK(weight.data() == Tensor<double>({2, 2}, {1 - 21., 2 - 21., 3 - 201., 4 - 201.}));
}
