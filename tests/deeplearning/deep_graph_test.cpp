// Graphs of any depth are evaluated, trained and destroyed without recursion on the native stack.
#include <doctest/doctest.h>

#include "support/networks/evaluations.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

constexpr int depth = test::hasSmallStacks ? 1'000'000 : 10'000;
constexpr int dynamicDepth = test::hasSmallStacks ? 100'000 : 1'000;

}  // namespace

TEST_CASE("a chain of a million operations is trained and destroyed on a small stack") {
  test::onSmallStack([] {
    const DoubleWeight weight(1, sgd(1));
    {
      DoubleLayer layer = weight * 1.0;
      for (int i = 0; i < depth; ++i) layer = layer + 1.0;
      CHECK(predict(layer).blockingAwait() == depth + 1);
      CHECK(train(layer).blockingAwait() == depth + 1);
    }
    CHECK(weight.data() == 0);
  });
}

TEST_CASE("a chain of dynamic layers is trained and destroyed on a small stack") {
  test::onSmallStack([] {
    const DoubleWeight weight(1, sgd(1));
    {
      DoubleLayer layer = weight * 1.0;
      for (int i = 0; i < dynamicDepth; ++i)
        layer = DoubleLayer(
            forward(layer).flatMap([layer](const auto& tape) { return forward(layer + tape.data); }));
    }
    DoubleLayer layer = weight * 1.0;
    for (int i = 0; i < dynamicDepth; ++i)
      layer = DoubleLayer(Do<void>::now().flatMap([layer] { return forward(layer); }));
    CHECK(predict(layer).blockingAwait() == 1);
    CHECK(train(layer).blockingAwait() == 1);
    CHECK(weight.data() == 0);
  });
}

TEST_CASE("a deep chain that fails at its end is left without recursion") {
  test::onSmallStack([] {
    const DoubleWeight weight(1, sgd(1));
    test::Evaluations count;
    count.onForward = [] { throw std::runtime_error("failed"); };
    DoubleLayer layer = count(weight);
    for (int i = 0; i < depth / 10; ++i) layer = layer + 1.0;
    CHECK_THROWS_AS(train(layer).blockingAwait(), std::runtime_error);
    CHECK(weight.data() == 1);
  });
}
