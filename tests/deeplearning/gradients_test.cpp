#include <doctest/doctest.h>

#include <tuple>
#include <utility>
#include <vector>

#include "support/networks/evaluations.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

TEST_CASE("gradients gives the loss and its derivatives, and changes nothing") {
  const DoubleWeight x(3, sgd(1));
  const DoubleWeight y(5, momentum({.learningRate = 1}));
  const auto result = gradients(x * y + y).blockingAwait();
  CHECK(result.loss == 20);
  CHECK(result.of(x) == 5);
  CHECK(result.of(y) == 4);
  CHECK(x.data() == 3);
  CHECK(y.data() == 5);
  train(x * y + y).blockingAwait();
  CHECK(y.data() == 1);
}

TEST_CASE("the gradient of a weight that no delta reached is zero") {
  const DoubleWeight used(3);
  const DoubleWeight unused(5);
  const TensorWeight tensor(Tensor<float>::full({2}, 7));
  const auto result = gradients(used + 0.0 * unused).blockingAwait();
  CHECK(result.of(used) == 1);
  CHECK(result.of(unused) == 0);
  CHECK(result.of(tensor) == Tensor<float>::zeros({2}));
}

TEST_CASE("gradients may be read after the weights have been changed or destroyed") {
  const auto result = [] {
    const DoubleWeight gone(2);
    return gradients(gone * gone).blockingAwait();
  }();
  CHECK(result.loss == 4);
  for (int i = 0; i < 100; ++i) CHECK(result.of(DoubleWeight(i)) == 0);
  const DoubleWeight weight(3, sgd(1));
  const auto first = gradients(weight * weight).blockingAwait();
  train(weight * weight).blockingAwait();
  CHECK(first.of(weight) == 6);
  CHECK(gradients(weight * weight).blockingAwait().of(weight) == -6);
}

TEST_CASE("gradients of a tensor loss are those of its sum") {
  const TensorWeight weight(Tensor<float>({2}, {1, 2}));
  const auto result = gradients(weight * weight).blockingAwait();
  CHECK(result.loss == Tensor<float>({2}, {1, 4}));
  CHECK(result.of(weight) == Tensor<float>({2}, {2, 4}));
}

TEST_CASE("gradients of a matrix product are dense") {
  const TensorWeight weight(Tensor<float>({2, 1}, {1, 2}));
  const Tensor<float> x({1, 2}, {10, 100});
  const auto result = gradients(sum(matmul(x, weight)) + sum(matmul(x, weight) * 2.0F)).blockingAwait();
  CHECK(result.loss == 630);
  CHECK(result.of(weight) == Tensor<float>({2, 1}, {30, 300}));
}

TEST_CASE("gradients is a program, which does nothing before it is run, and the same each time") {
  const test::Evaluations count;
  const DoubleWeight weight(3);
  const auto program = gradients(count(weight) * weight);
  CHECK(count.forwards() == 0);
  for (int i = 1; i <= 3; ++i) {
    CHECK(program.blockingAwait().of(weight) == 6);
    CHECK(count.forwards() == i);
  }
}

TEST_CASE("gradients also yields observed layers, from the same pass") {
  const test::Evaluations count;
  const DoubleWeight weight(3, sgd(1));
  const auto prediction = count(weight) * weight;
  const TensorWeight other(Tensor<float>({2}, {1, 2}));
  const auto [derived, predicted, range] =
      gradients(prediction + 1.0, prediction, std::vector<DoubleLayer>{prediction, weight * 2.0})
          .blockingAwait();
  CHECK(count.forwards() == 1);
  CHECK(derived.loss == 10);
  CHECK(derived.of(weight) == 6);
  CHECK(predicted == 9);
  CHECK(range == std::vector<double>{9, 6});
  CHECK(weight.data() == 3);
}

TEST_CASE("gradients of a tuple of losses is not taken for a loss with something to observe") {
  const DoubleWeight x(3);
  const DoubleWeight y(5);
  const auto derived = gradients(std::tuple(x * y, y * 2.0)).blockingAwait();
  CHECK(derived.loss == std::tuple(15.0, 10.0));
  CHECK(derived.of(y) == 5);
  const auto [same, observed] = gradients(std::tuple(x * y, y * 2.0), x + y).blockingAwait();
  CHECK(same.loss == std::tuple(15.0, 10.0));
  CHECK(same.of(x) == 5);
  CHECK(observed == 8);
}

TEST_CASE("idle workers are asked to help with the products that make gradients") {
  const TensorWeight weight(Tensor<float>::full({1024, 1024}, 1));
  const TensorLayer product = matmul(Tensor<float>::full({16, 1024}, 1), weight);
  test::BusyWorkers forward;
  CHECK(predict(product).blockingAwait(forward).data()[0] == 1024);
  REQUIRE(forward.offers > 0);
  test::BusyWorkers both;
  CHECK(gradients(product).blockingAwait(both).of(weight).data()[0] == 16);
  CHECK(both.offers == 2 * forward.offers);
}

TEST_CASE("idle workers are asked to help with a convolution and both its derivatives, unless it is small") {
  const TensorWeight filters(Tensor<float>::full({16, 16, 3, 3}, 1));
  const auto offersOf = [&](std::size_t batch) {
    const TensorWeight images(Tensor<float>::full({batch, 16, 16, 16}, 1));
    const TensorLayer result = conv2d(images, filters, {.padding = 1});
    test::BusyWorkers forward;
    CHECK(predict(result).blockingAwait(forward).data()[0] == 64);
    test::BusyWorkers all;
    const auto derived = gradients(result).blockingAwait(all);
    CHECK(derived.of(images).data()[0] == 64);
    CHECK(derived.of(filters).data()[0] == 225.0F * static_cast<float>(batch));
    CHECK(all.offers == 3 * forward.offers);
    return forward.offers;
  };
  CHECK(offersOf(16) == 7);
  CHECK(offersOf(5) == 1);
  CHECK(offersOf(1) == 0);
}

TEST_CASE("an operand to which a derivative sends TensorDelta() is as if no delta had reached it") {
  using Both = std::pair<Tensor<float>, Tensor<float>>;
  const auto first = unaryOperation<"first", Keep::nothing, ToScalar>(
      [](const Both& both) { return both.first; },
      [](const Tensor<float>& delta) {
        return std::pair<TensorDelta<float>, TensorDelta<float>>(delta, {});
      });
  const TensorWeight a(Tensor<float>({2}, {1, 2}), sgd(1));
  const TensorWeight b(Tensor<float>({2}, {3, 4}), adam({.learningRate = 1}));
  const auto direct = sum(first(std::pair(a, b)));
  CHECK(gradients(direct).blockingAwait().of(b) == Tensor<float>::zeros({2}));
  CHECK(checkFinite(gradients(direct)).blockingAwait().of(a) == Tensor<float>({2}, {1, 1}));
  train(direct).blockingAwait();
  train(sum(first(std::pair(a * 1.0F, b * 1.0F)))).blockingAwait();
  CHECK(a.data() == Tensor<float>({2}, {-1, 0}));
  CHECK(b.data() == Tensor<float>({2}, {3, 4}));
}
