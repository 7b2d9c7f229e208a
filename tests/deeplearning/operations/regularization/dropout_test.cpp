#include <tapestry/deeplearning/operations/regularization/dropout.hpp>

#include <stdexcept>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/count_pass.hpp"
#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/deeplearning/seed.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

const TensorWeight& droppedWeight() {
  static const TensorWeight weight(Tensor<float>::full({50, 20}, 3));
  return weight;
}

}  // namespace

TEST_CASE("dropout leaves a prediction alone") {
  const auto& w = droppedWeight();
  CHECK(predict(dropout(w, 0.5)).blockingAwait() == w.data());
}

TEST_CASE("dropout drops an element and its delta together, and scales up the others") {
  const auto& w = droppedWeight();
  const auto dropped = dropout(w, 0.75);
  const auto data = inMode(Mode::train, predict(dropped)).blockingAwait();
  for (const float x : data.values()) CHECK((x == 0 || x == 12));
  const auto gradient = withSeed(5, gradients(sum(dropped))).blockingAwait().of(w);
  const auto same = withSeed(5, inMode(Mode::train, predict(dropped))).blockingAwait();
  for (std::size_t i = 0; i < same.size(); ++i) CHECK(gradient.data()[i] * 3 == same.data()[i]);
}

TEST_CASE("dropout draws anew in each pass, and the same again from the same seed") {
  const auto dropped = dropout(droppedWeight(), 0.5);
  const auto draw = inMode(Mode::train, predict(dropped));
  CHECK(draw.blockingAwait() != draw.blockingAwait());
  CHECK(withSeed(1, draw).blockingAwait() == withSeed(1, draw).blockingAwait());
  CHECK(withSeed(1, draw).blockingAwait() != withSeed(2, draw).blockingAwait());
}

TEST_CASE("two dropouts of a pass draw differently, unless they are given one stream") {
  const auto& w = droppedWeight();
  const auto [a, b] = inMode(Mode::train, predict(dropout(w, 0.5), dropout(w, 0.5))).blockingAwait();
  CHECK(a != b);
  const auto [c, d] = inMode(Mode::train, predict(dropout(w, 0.5, 7), dropout(w, 0.5, 7))).blockingAwait();
  CHECK(c == d);
}

TEST_CASE("one layer of dropout that is used twice draws once") {
  const auto dropped = dropout(droppedWeight(), 0.5);
  const auto [a, b] = inMode(Mode::train, predict(dropped, dropped * 1.0)).blockingAwait();
  CHECK(a == b);
}

TEST_CASE("the gradients of dropout are the central differences, for a given seed") {
  const DoubleTensorWeight w(Tensor<double>({2, 5}, {1, 2, 3, 4, 5, 0, -1, -2, -3, -4}));
  const auto dropped = dropout(w * w, 0.4);
  const auto loss = sum(dropped * dropped) + sum(dropout(w, 0.4) * dropped);
  const auto exact = withSeed(3, gradients(loss)).blockingAwait().of(w);
  const auto data = w.data();
  const auto lossAt = [&](std::size_t i, double shift) {
    auto moved = data;
    moved.exclusiveData()[i] += shift;
    w.setData(moved);
    return withSeed(3, inMode(Mode::train, predict(loss))).blockingAwait();
  };
  for (std::size_t i = 0; i < data.size(); ++i)
    CHECK(exact.data()[i] == doctest::Approx((lossAt(i, 1e-5) - lossAt(i, -1e-5)) / 2e-5).epsilon(1e-6));
}

TEST_CASE("the gradients of dropout are the central differences, for any shapes and rates") {
  checkDraws([](Random& random) {
    const double rate = random.real(0, 0.9);
    const bool stream = random.below(2) == 0;
    return DrawnOperation{
        [=](const Operands& of) { return stream ? dropout(of[0], rate, 3) : dropout(of[0], rate); },
        {random.tensor<double>(drawShape(random))},
        random.below(4) == 0 ? Mode::predict : Mode::train};
  });
}

TEST_CASE("dropout knows its shape, and frees its operand in a prediction") {
  const auto& w = droppedWeight();
  CHECK(*dropout(w, 0.5).node()->knownShape() == Shape{50, 20});
  CHECK_THROWS_AS(dropout(w, 0.5) + Tensor<float>::zeros({3}), ShapeError);
  const auto deep = [&](int layers) {
    Layer<Tensor<float>> x = w * 1.0f;
    for (int i = 0; i < layers; ++i) x = dropout(x, 0.5);
    return countPass(inMode(Mode::train, predict(x))).blockingAwait().second.mostBytes;
  };
  CHECK(deep(40) <= deep(4));
}

TEST_CASE("the mask of a given stream differs from the masks of the pass's own streams") {
  const auto& w = droppedWeight();
  const auto [a, b] = inMode(Mode::train, predict(dropout(w, 0.5), dropout(w, 0.5, 0))).blockingAwait();
  CHECK(a != b);
}

TEST_CASE("dropout refuses a rate that is no probability below 1") {
  CHECK_THROWS_WITH_AS(
      dropout(droppedWeight(), 1.0),
      "tapestry::dropout: the rate is out of range, got 1, expected at least 0 and less than 1",
      std::invalid_argument);
}
