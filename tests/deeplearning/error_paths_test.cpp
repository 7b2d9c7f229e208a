// A pass that fails reports the operations between the loss and the culprit, with their shapes.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/deeplearning.hpp"

namespace tapestry {

namespace {

using Steps = std::vector<std::string>;

/// The steps without a place, as far as they are operations or programs of layers.
template <class A>
Steps stepsOf(const Do<A>& program) {
  const auto error = program.attempt().blockingAwait().error();
  REQUIRE(error);
  Steps steps;
  for (const Trace::Place& place : traceOf(error).places)
    if (place.location.line() == 0 || place.operation == "the program of a layer")
      steps.push_back(place.operation);
  return steps;
}

/// A layer whose shape is not known before it runs.
TensorLayer late(const TensorWeight& w) {
  return TensorLayer(forward(w).flatMap([w](const auto&) { return forward(w); }));
}

const auto refusing =
    unaryOperation<"refusing", Keep::nothing>([](const auto& x) { return x; },
                                              [](const auto& delta) -> std::remove_cvref_t<decltype(delta)> {
                                                throw std::runtime_error("no derivative");
                                              });

/// Data of a user's own, which note when they are asked for their shape.
struct Noting {
  Shape shape() const {
    asked.push_back(number);
    return {};
  }
  Noting& operator+=(const Noting&) { return *this; }

  int number;
  inline static std::vector<int> asked;
};

struct Still {
  template <class V>
  struct State {};
  template <class V>
  V step(const V& before, const V&, State<V>&) const {
    return before;
  }
};

}  // namespace

TEST_CASE("the trace of a failed forward leads from the culprit to the loss") {
  const TensorWeight w(Tensor<float>::full({5, 2}, 1), sgd(0.1));
  const auto x = Tensor<float>::full({3, 4}, 1);
  const auto scores = matmul(x, late(w));
  CHECK(stepsOf(train(mean(relu(scores)))) == Steps{"matmul of [3, 4] and [5, 2]", "relu", "mean"});
}

TEST_CASE("shared nodes do not repeat the path, also if branches run in parallel") {
  ThreadPool pool(2);
  const TensorWeight w(Tensor<float>::full({5, 2}, 1), sgd(0.1));
  const auto scores = matmul(Tensor<float>::full({3, 4}, 1), late(w));
  const auto loss = mean(exp(scores) + sin(scores));
  const auto error = train(loss).attempt().blockingAwait(pool).error();
  std::size_t products = 0, means = 0, branches = 0;
  for (const Trace::Place& place : traceOf(error).places) {
    products += place.operation.starts_with("matmul");
    means += place.operation == "mean";
    branches += place.operation == "exp" || place.operation == "sin";
  }
  CHECK(products == 1);
  CHECK(branches == 1);
  CHECK(means == 1);
}

TEST_CASE("the path goes through the programs of layers, which are named with their places") {
  const TensorWeight w(Tensor<float>::full({5, 2}, 1), sgd(0.1));
  const auto x = Tensor<float>::full({3, 4}, 1);
  const TensorLayer chosen(
      forward(w).flatMap([=](const auto&) { return forward(tanh(matmul(x, late(w)))); }));
  CHECK(stepsOf(train(sum(chosen))) ==
        Steps{"matmul of [3, 4] and [5, 2]", "tanh", "the program of a layer", "sum"});
}

TEST_CASE("the trace of a failed backward leads from the culprit to the loss") {
  const TensorWeight w(Tensor<float>::full({3, 2}, 1), sgd(0.1));
  const auto loss = mean(relu(matmul(Tensor<float>::full({4, 3}, 1), refusing(w))));
  CHECK(stepsOf(train(loss)) == Steps{"the backward of refusing of [3, 2]", "matmul of [4, 3] and [3, 2]",
                                      "relu of [4, 2]", "mean of [4, 2]"});
}

TEST_CASE("the trace of a failed forward reads the operands of the culprit, and not the data below them") {
  const auto next =
      unaryOperation<"next", Keep::operands>([](const Noting& x) { return Noting{x.number + 1}; },
                                             [](const Noting& delta, const Noting&) { return delta; });
  const auto refuse = unaryOperation<"refuse", Keep::operands>(
      [](const Noting&) -> Noting {
        Noting::asked.clear();
        throw std::runtime_error("no result");
      },
      [](const Noting& delta, const Noting&) { return delta; });
  const Weight<Noting> weight(Noting{1}, Still());
  CHECK(stepsOf(withPass(forward(refuse(next(next(weight)))).map([](const auto&) { return 0; }))) ==
        Steps{"refuse of []"});
  CHECK(Noting::asked == std::vector<int>{3});
}

TEST_CASE("a value that is not finite is found with its path") {
  const TensorWeight w(Tensor<float>::full({2}, 0), sgd(0.1));
  const auto steps = stepsOf(checkFinite(train(mean(log(w) * 2.0F))));
  CHECK(steps == Steps{"log of [2]", "multiply of [2] and []", "mean of [2]"});
}

TEST_CASE("a pass that fails again and again has the same path each time") {
  const TensorWeight w(Tensor<float>::full({5, 2}, 1), sgd(0.1));
  const auto program = train(mean(relu(matmul(Tensor<float>::full({3, 4}, 1), late(w)))));
  const Steps first = stepsOf(program);
  CHECK(stepsOf(program) == first);
  CHECK(first.size() == 3);
}

}  // namespace tapestry
