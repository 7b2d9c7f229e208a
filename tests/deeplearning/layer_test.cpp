#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/networks/evaluations.hpp"
#include "support/programs/fake_resource.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/raii/direct/direct.hpp"

using namespace tapestry;
using test::Evaluations;
using test::FakeResources;

TEST_CASE("a layer of a literal has its value") {
  CHECK(predict(DoubleLayer(2.5)).blockingAwait() == 2.5);
  CHECK(predict(FloatLayer(2.5F)).blockingAwait() == 2.5F);
  CHECK(predict(TensorLayer(Tensor<float>({2}, {1, 2}))).blockingAwait() == Tensor<float>({2}, {1, 2}));
}

TEST_CASE("a layer is a description, which can be evaluated again and again") {
  const DoubleWeight weight(1, sgd(0.5));
  const DoubleLayer layer = weight * 2.0;
  const DoubleLayer copy = layer;
  CHECK(train(layer).blockingAwait() == 2);
  CHECK(train(copy).blockingAwait() == 0);
  CHECK(predict(layer).blockingAwait() == -2);
}

TEST_CASE("a layer outlives the handles that it was made of") {
  const auto layer = [] {
    const DoubleWeight weight(3);
    return tanh(weight - 3.0) + weight;
  }();
  CHECK(predict(layer).blockingAwait() == 3);
}

TEST_CASE("a layer that a program makes is made once in each pass") {
  int made = 0;
  const DoubleWeight weight(3, sgd(1));
  const DoubleLayer dynamic(
      Do<void>::delay([&made] { ++made; }).flatMap([weight] { return forward(weight * 2.0); }));
  CHECK(train(dynamic * dynamic + dynamic).blockingAwait() == 42);
  CHECK(made == 1);
  CHECK(weight.data() == 3 - 2 * 13);
  predict(dynamic + dynamic).blockingAwait();
  CHECK(made == 2);
}

TEST_CASE("a layer can be chosen by the value of another one") {
  const DoubleWeight by(1, sgd(1));
  const DoubleWeight left(10, sgd(1));
  const DoubleWeight right(20, sgd(1));
  const Evaluations onLeft;
  const Evaluations onRight;
  const DoubleLayer chosen(forward(by).flatMap(
      [&](const auto& tape) { return forward(tape.data > 0 ? onLeft(left * by) : onRight(right * by)); }));
  CHECK(train(chosen).blockingAwait() == 10);
  CHECK(onRight.forwards() == 0);
  CHECK(by.data() == -9);
  CHECK(train(chosen).blockingAwait() == -180);
  CHECK(onLeft.forwards() == 1);
  CHECK(left.data() == 9);
  CHECK(right.data() == 20 + 9);
}

TEST_CASE("a layer that several dynamic layers use is evaluated once") {
  ThreadPool pool(2);
  const DoubleWeight weight(2, sgd(1));
  Evaluations count;
  const auto shared = count(weight * 3.0);
  const DoubleLayer first(
      forward(shared).flatMap([shared](const auto& tape) { return forward(shared * tape.data); }));
  const DoubleLayer second(tuple2(forward(first), forward(shared)).flatMap([shared](const auto&) {
    return forward(shared + 1.0);
  }));
  CHECK(predict(first + second + shared).blockingAwait(pool) == 36 + 7 + 6);
  CHECK(count.forwards() == 1);
  count.reset();
  CHECK(train(first + second + shared).blockingAwait(pool) == 36 + 7 + 6);
  CHECK(count.forwards() == 1);
  CHECK(count.backwards() == 1);
  CHECK(weight.data() == 2 - 3 * (6 + 1 + 1));
}

TEST_CASE(
    "resources of a layer's program live until deltas have flowed back, in predict until its data is there") {
  FakeResources fake;
  const DoubleWeight weight(2, sgd(1));
  Evaluations inner;
  inner.onForward = [&fake] { fake.note("forward"); };
  inner.onBackward = [&fake] { fake.note("backward"); };
  Evaluations outer;
  outer.onForward = [&fake] { fake.note("outer"); };
  const DoubleLayer layer(fake.make("a").flatMap([&](const auto&) { return forward(inner(weight)); }));
  train(outer(layer)).blockingAwait();
  predict(outer(layer)).blockingAwait();
  CHECK(fake.log() == "+a forward outer backward -a +a forward -a outer");
}

TEST_CASE("a layer in direct style awaits others") {
  const DoubleWeight weight(3, sgd(1));
  Evaluations count;
  const auto shared = count(weight * 2.0);
  const DoubleLayer layer(direct<Do>([shared] {
    const double data = !shared;
    return !forward(data > 0 ? shared * data : shared);
  }));
  CHECK(predict(layer).blockingAwait() == 36);
  CHECK(train(layer + shared).blockingAwait() == 42);
  CHECK(count.forwards() == 2);
  CHECK(count.backwards() == 1);
  CHECK(weight.data() == 3 - (12 + 2));
}
