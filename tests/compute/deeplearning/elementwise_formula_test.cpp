// Operations that users make of formulas, on devices: the host's values and gradients.
#include <doctest/doctest.h>

#include <concepts>
#include <vector>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

constexpr auto formulaSwish = elementwise<"swish">([](auto x) { return x / (1 + exp(-x)); });
constexpr auto formulaMixed = elementwise<"mixed">([](auto a, auto b, auto c, auto d) {
  return where(a > b, sigmoid(a) * b, max(c, a)) - tanh(c * b) / (2 + d * d);
});
constexpr auto formulaStated = elementwise<"product">(
    [](auto a, auto b) { return a * b; }, [](auto, auto b) { return b; }, [](auto, auto) { return 10; });

static_assert(std::same_as<std::invoke_result_t<decltype(formulaSwish), Weight<DeviceTensor<float>>>,
                           Layer<DeviceTensor<float>>>);
static_assert(
    !std::invocable<decltype(formulaMixed), DeviceTensor<float>, DeviceTensor<double>, double, double>);
static_assert(!std::invocable<decltype(formulaMixed), DeviceTensor<float>, Tensor<float>, double, double>);

int recordedSlopes = 0;
constexpr auto formulaCounted =
    elementwise<"counted">([](auto a) { return a * a; },
                           [](auto a) {
                             if constexpr (std::same_as<decltype(a), formula::Term>) ++recordedSlopes;
                             return 2 * a;
                           });

/// Compares host and device, for `count` weights whose shapes broadcast.
template <class F>
void compareFormula(std::size_t count, const F& operation) {
  test::Random random(24);
  for (int round = 0; round < 3; ++round) {
    const Shape shape{1 + random.below(6), 1 + random.below(6), 1 + random.below(6)};
    std::vector<Tensor<float>> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(random.tensor<float>(i == 0 ? shape : random.stretching(shape)));
    compareWithHost(values, operation);
  }
}

}  // namespace

TEST_CASE("a user's elementwise operation has the host's values and gradients on a device") {
  compareFormula(1, [](const auto& w) { return formulaSwish(w[0]); });
  compareFormula(2, [](const auto& w) { return formulaMixed(w[0], w[1], 0.5, 0.25F); });
  compareFormula(3, [](const auto& w) { return formulaMixed(1.5F, w[0], w[1] * w[2], w[2]); });
  compareFormula(4, [](const auto& w) { return formulaMixed(w[0], w[1], w[2], w[3]); });
  compareFormula(2, [](const auto& w) { return formulaSwish(formulaStated(w[0], w[1])); });
}

TEST_CASE("a device's literals are computed at once, and a mixed-in weight gets its delta") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>({2}, {1, -2}));
  CHECK(isClose(hostOf(formulaSwish(x)), formulaSwish(Tensor<float>({2}, {1, -2})), 1e-5));
  const Weight<DeviceTensor<float>> w(x);
  CHECK(hostOf(gradients(sum(formulaStated(w, 3.0))).blockingAwait().of(w)) == Tensor<float>({2}, {3, 3}));
}

TEST_CASE("a formula's forward and backward are one kernel each") {
  const Weight<DeviceTensor<float>> w(DeviceTensor<float>(testDevice(), Tensor<float>::full({64}, 0.5F))),
      v(DeviceTensor<float>(testDevice(), Tensor<float>::full({64}, 0.25F)));
  const auto loss = formulaMixed(w, v, 0.5, 0.25);
  testDevice().finish().blockingAwait();
  const auto before = testDevice().counts().kernels;
  predict(loss).blockingAwait().compute();
  CHECK(testDevice().counts().kernels == before + 1);
  const auto run = gradients(loss).blockingAwait();
  run.of(w).compute();
  run.of(v).compute();
  CHECK(testDevice().counts().kernels == before + 2);
  testDevice().finish().blockingAwait();
}

TEST_CASE("a slope without captures is recorded once") {
  const Weight<DeviceTensor<float>> w(DeviceTensor<float>(testDevice(), Tensor<float>::full({4}, 3)));
  const auto slope = [&] { return hostOf(gradients(sum(formulaCounted(w))).blockingAwait().of(w)); };
  CHECK(slope() == Tensor<float>::full({4}, 6));
  const int once = recordedSlopes;
  CHECK(once > 0);
  CHECK(slope() == Tensor<float>::full({4}, 6));
  CHECK(recordedSlopes == once);
}

TEST_CASE("a number that changes is an operand, and takes one kernel") {
  constexpr auto scaled = elementwise<"scaled">([](auto x, auto rate) { return x * rate + 1; });
  const DeviceTensor<float> x(testDevice(), Tensor<float>::full({50}, 0.5F));
  const auto before = testDevice().counts().compiled;
  for (const float rate : {0.25F, 0.5F, 0.75F}) CHECK(hostOf(scaled(x, rate))(7) == 1 + 0.5F * rate);
  CHECK(testDevice().counts().compiled <= before + 1);
}
