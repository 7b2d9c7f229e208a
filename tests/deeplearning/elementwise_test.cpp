#include "tapestry/deeplearning/elementwise.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <concepts>
#include <string>

#include "deeplearning/operations/support.hpp"
#include "support/callable.hpp"
#include "support/error_text.hpp"
#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/predict.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

constexpr auto swish = elementwise<"swish">([](auto x) { return x / (1 + exp(-x)); });
constexpr auto mixed = elementwise<"mixed">(
    [](auto a, auto b, auto c, auto d) { return sigmoid(a) * b - tanh(c * b) / (2 + d * d); });

static_assert(hasUnaryTypes<decltype(swish)>());
static_assert(!std::invocable<decltype(swish)>);
static_assert(!std::invocable<decltype(swish), std::string>);
static_assert(!std::invocable<decltype(mixed), double, double, double, double, double>);
static_assert(!std::invocable<decltype(mixed), Tensor<float>, Tensor<double>, double, double>);
static_assert(std::same_as<std::invoke_result_t<decltype(mixed), TensorWeight, double, double, Tensor<float>>,
                           TensorLayer>);

}  // namespace

TEST_CASE("an elementwise operation has the values and the derivative of its formula") {
  checkUnary<double>(swish);
  checkUnary<Tensor<float>>(swish);
  checkUnary<Tensor<double>>(swish);
  CHECK(swish(2.0) == doctest::Approx(2 / (1 + std::exp(-2.0))));
}

TEST_CASE("operands of several shapes broadcast, and each gets its delta") {
  Random random(4);
  for (int round = 0; round < 40; ++round) {
    const Shape shape = smallShape(random, round % 12);
    const Tensor<double> b = random.tensor<double>(random.stretching(shape));
    const Tensor<double> c = random.tensor<double>(shape);
    const auto ofFirst = [&](const auto& a) { return sum(mixed(a, b, c, 0.5)); };
    const auto ofSecond = [&](const auto& x) { return sum(mixed(0.3, x, c, b)); };
    const auto ofAll = [&](const auto& x) { return sum(mixed(x, x, c, x)); };
    checkGradients<double>(ofFirst, random.tensor<double>(random.stretching(shape)));
    checkGradients<double>(ofSecond, random.tensor<double>(random.stretching(shape)));
    checkGradients<double>(ofAll, random.tensor<double>(random.stretching(shape)));
  }
  checkGradients<double>([](const auto& x) { return mixed(x, 1.5, x, 2.0); }, 0.7);
}

TEST_CASE("a slope that is stated takes the place of the derivative") {
  const auto square = elementwise<"square">([](auto x) { return x * x; }, [](auto x) { return 2 * x; });
  checkUnary<Tensor<double>>(square);
  const auto wrong = elementwise<"wrong">([](auto x) { return x * x; }, [](auto) { return 10; });
  const Weight<Tensor<float>> weight(Tensor<float>({2}, {1, 2}));
  CHECK(gradients(sum(wrong(weight))).blockingAwait().of(weight) == Tensor<float>({2}, {10, 10}));
  const auto product = elementwise<"product">([](auto a, auto b) { return a * b; },
                                              [](auto, auto b) { return b; }, [](auto a, auto) { return a; });
  checkGradients<double>([&](const auto& x) { return product(x, x + 1); }, Tensor<double>({2}, {1, 2}));
}

TEST_CASE("an infinite slope of one operand leaves the deltas of the others finite") {
  const auto scaledRoot = elementwise<"scaledRoot">([](auto a, auto w) { return sqrt(a) * w; });
  const Weight<Tensor<float>> w(Tensor<float>({3}, {1, 1, 1}));
  const auto loss = sum(scaledRoot(Tensor<float>({3}, {0, 4, 9}), w));
  CHECK(gradients(loss).blockingAwait().of(w) == Tensor<float>({3}, {0, 2, 3}));
}

TEST_CASE("shapes that do not broadcast are an error before the network runs, which names the operation") {
  const auto add = elementwise<"combine">([](auto a, auto b) { return a + b; });
  const Weight<Tensor<float>> two(Tensor<float>::zeros({2})), three(Tensor<float>::zeros({3}));
  CHECK(errorOf([&] { static_cast<void>(add(two, three)); }).find("combine") != std::string::npos);
}
