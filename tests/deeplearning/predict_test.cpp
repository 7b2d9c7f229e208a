#include <doctest/doctest.h>

#include <tuple>
#include <vector>

#include "support/networks/evaluations.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::Evaluations;

TEST_CASE("predict yields the data, and changes nothing") {
  const DoubleWeight weight(3, sgd(1));
  CHECK(predict(weight * 2.0).blockingAwait() == 6);
  CHECK(predict(weight).blockingAwait() == 3);
  CHECK(predict(4.0).blockingAwait() == 4);
  CHECK(weight.data() == 3);
}

TEST_CASE("predict evaluates several layers in one pass") {
  const DoubleWeight weight(3);
  const Evaluations count;
  const auto shared = count(weight);
  CHECK(predict(shared * 2.0, shared, weight, 1.0F).blockingAwait() == std::tuple(6.0, 3.0, 3.0, 1.0F));
  CHECK(count.forwards() == 1);
}

TEST_CASE("predict yields the data of a range of layers as a vector") {
  ThreadPool pool(2);
  const DoubleWeight weight(3);
  const Evaluations count;
  const auto shared = count(weight);
  std::vector<DoubleLayer> layers;
  for (int i = 0; i < 4; ++i) layers.push_back(shared * static_cast<double>(i));
  CHECK(predict(layers).blockingAwait() == std::vector<double>{0, 3, 6, 9});
  CHECK(predict(layers, shared).blockingAwait(pool) == std::tuple(std::vector<double>{0, 3, 6, 9}, 3.0));
  CHECK(count.forwards() == 2);
  CHECK(predict(std::vector<DoubleLayer>()).blockingAwait().empty());
}

TEST_CASE("an eager value in an expression is a constant, and gets no gradient") {
  const DoubleWeight weight(1, sgd(1));
  for (int i = 0; i < 5; ++i) {
    const double eager = predict(1.0 + weight).blockingAwait();
    train(6.7 + eager + weight + 5.5).blockingAwait();
  }
  CHECK(weight.data() == -4);
}
