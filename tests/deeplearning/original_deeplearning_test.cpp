// What DeepLearning.scala tests of networks of floats, and of tapes.
#include <doctest/doctest.h>

#include <cmath>

#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/raii/direct/direct.hpp"

using namespace tapestry;

namespace {

/// Trains the network, which is made afresh for each step.
template <class F>
void trainTimes(int times, const F& network) {
  for (int i = 0; i < times; ++i) train(network()).blockingAwait();
}

constexpr float originalInput = 1;

}  // namespace

TEST_CASE("plus: the weight decreases by the learning rate in each of five trainings") {
  const FloatWeight w(1, sgd(1));
  trainTimes(5, [&] { return 6.7F + originalInput + w + 5.5F; });
  CHECK(w.data() == -4);
}

TEST_CASE("plus with predict: after seven trainings the network predicts zero") {
  const FloatWeight w(1, sgd(1));
  const auto network = [&] { return 1.0F + originalInput + w + 4.0F; };
  trainTimes(7, network);
  CHECK(predict(network()).blockingAwait() == 0);
}

TEST_CASE("predict: after six trainings the network of all four operators predicts zero") {
  const FloatWeight w(1, sgd(1));
  const auto network = [&] { return -10.0F + 20.0F - ((originalInput - w + 4.0F) * 2.0F / 2.0F); };
  trainTimes(6, network);
  CHECK(predict(network()).blockingAwait() == 0);
  CHECK(w.data() == -5);
}

TEST_CASE("will not overflow the stack: a thousand trainings in a row, each on another thread") {
  ThreadPool pool(2);
  const FloatWeight w(1, sgd(1));
  auto task = Do<void>::now();
  for (int i = 0; i < 1000; ++i)
    task = task.flatMap([&] { return Do<void>::execute(pool, [] {}); }).flatMap([&] {
      return train(-10.0F + 20.0F - ((originalInput - w + 4.0F) * 2.0F / 2.0F)).map([](float) {});
    });
  task.blockingAwait(pool);
  CHECK(w.data() == -999);
}

TEST_CASE("min: the weight grows until the other operand is the smaller one") {
  const FloatWeight w(1, sgd(1));
  const auto network = [&] { return 5.0F - min(5.0F, w); };
  trainTimes(4, network);
  CHECK(predict(network()).blockingAwait() == 0);
  CHECK(w.data() == 5);
}

TEST_CASE("max: the weight grows while it is the larger operand") {
  const FloatWeight w(1, sgd(1));
  const auto network = [&] { return 10.0F - max(0.0F, w); };
  trainTimes(9, network);
  CHECK(predict(network()).blockingAwait() == 0);
  CHECK(w.data() == 10);
}

TEST_CASE("log: the weight comes close to five") {
  const FloatWeight w(1, sgd(0.5));
  const auto network = [&] { return std::log(5.0F) - log(w); };
  trainTimes(23, network);
  CHECK(std::abs(w.data() - 5) < 0.1);
  CHECK(predict(network()).blockingAwait() < 0.1F);
}

TEST_CASE("exp: the weight comes close to three") {
  const FloatWeight w(1, sgd(0.1));
  const auto network = [&] { return std::exp(3.0F) - exp(w); };
  trainTimes(4, network);
  CHECK(std::abs(w.data() - 3) < 0.1);
  CHECK(predict(network()).blockingAwait() < 0.5F);
}

TEST_CASE("abs: the weight grows to five") {
  const FloatWeight w(1, sgd(1));
  const auto network = [&] { return 5.0F - abs(w); };
  trainTimes(4, network);
  CHECK(w.data() == 5);
  CHECK(predict(network()).blockingAwait() == 0);
}

TEST_CASE("unary minus: the weight shrinks to zero") {
  const FloatWeight w(5, sgd(1));
  const auto network = [&] { return abs(-w); };
  trainTimes(5, network);
  CHECK(w.data() == 0);
  CHECK(predict(network()).blockingAwait() == 0);
}

TEST_CASE("a layer that is evaluated eagerly gives its data, and no gradient") {
  const FloatWeight w(1, sgd(1));
  trainTimes(5, [&] {
    return FloatLayer(direct<Do>([w] {
      const float eager = !(originalInput + w);
      return await(forward(6.7F + eager + w + 5.5F));
    }));
  });
  CHECK(w.data() == -4);
}

TEST_CASE("several layers that are evaluated eagerly and in parallel give their data, and no gradients") {
  const FloatWeight w(1, sgd(1));
  trainTimes(5, [&] {
    return FloatLayer(
        tupleN(parallel(forward(originalInput + w)), parallel(forward(2.0F)), parallel(forward(w)))
            .flatMap([w](const auto& tapes) {
              const auto& [sum, two, weight] = tapes;
              return forward(6.7F + sum.data * two.data + weight.data + w + 5.5F);
            }));
  });
  CHECK(w.data() == -4);
}

TEST_CASE("train of a sum gives the loss from before, and both weights decrease") {
  const DoubleWeight w1(10);
  const DoubleWeight w2(300);
  CHECK(train(w1 + w2).blockingAwait() == 310);
  CHECK(w1.data() < 10);
  CHECK(w2.data() < 300);
}

TEST_CASE("a weight decreases when a delta is sent back through its tape") {
  const DoubleWeight w(10);
  withPass(forward(w).flatMap([](const auto& tape) {
    return Do<void>::lift(tape.backward(Do<double>::now(1)));
  })).blockingAwait();
  CHECK(w.data() < 10);
}

TEST_CASE("the data of a tape of tensors stays as it was, though the weight changes") {
  const DoubleTensorWeight w(Tensor<double>({2, 2}, {1, 2, 3, 4}), sgd(1));
  const Tensor<double> doubled({2, 2}, {2, 4, 6, 8});
  const auto data =
      withPass(forward(w + w).flatMap([](const auto& tape) {
        const TensorDelta<double> one(Tensor<double>::full({2, 2}, 1));
        return Do<void>::lift(tape.backward(Do<TensorDelta<double>>::now(one))).map([data = tape.data] {
          return data;
        });
      })).blockingAwait();
  CHECK(data == doubled);
  CHECK(w.data() == Tensor<double>({2, 2}, {-1, 0, 1, 2}));
}

TEST_CASE("the data of a weight that is a tensor can be read") {
  const TensorWeight w(Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  CHECK(w.data()(1, 2) == 6);
  CHECK(predict(w).blockingAwait() == w.data());
}
