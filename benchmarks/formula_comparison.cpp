// What an elementwise formula costs: beside its operations one by one, and beside a loop by hand.
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/formula.hpp>

#include "compare/compare.hpp"
#include "hand/formula.hpp"

namespace tapestry::benchmarks {

namespace {

constexpr std::size_t elements = 1'000'000;

Tensor<float> operand() {
  auto x = Tensor<float>::uninitialized({elements});
  float* const values = x.exclusiveData();
  for (std::size_t i = 0; i < elements; ++i) values[i] = static_cast<float>(i % 1000) / 100 - 5;
  return x;
}
const Tensor<float>& x() {
  static const Tensor<float> values = operand();
  return values;
}

/// By hand, once.
const Tensor<float>& expected() {
  static const Tensor<float> result = [] {
    auto y = Tensor<float>::uninitialized({elements});
    hand::formulaLoop(x().data(), elements, y.exclusiveData());
    return y;
  }();
  return result;
}

void checkAll(const Tensor<float>& result) {
  for (std::size_t i = 0; i < elements; ++i)
    if (std::abs(result.data()[i] - expected().data()[i]) > 1e-4F)
      throw std::runtime_error("wrong result of the formula at " + std::to_string(i));
}

double fused() {
  const auto formula = [](auto v) { return max((2 * v + 1) * (v - 3), 0) - 0.5 * v * v + 1; };
  Tensor<float> y;
  const double cost = nanoseconds(elements, [&] { y = kernels::evaluate("formula", formula, x()); });
  checkAll(y);
  return cost;
}

double operations() {
  Tensor<float> y;
  const double cost = nanoseconds(elements, [&] {
    auto left = kernels::add(kernels::multiply(2.0F, x()), 1.0F);
    auto product = kernels::multiply(std::move(left), kernels::subtract(x(), 3.0F));
    auto rectified = kernels::maximum(std::move(product), 0.0F);
    auto square = kernels::multiply(kernels::multiply(0.5F, x()), x());
    y = kernels::add(kernels::subtract(std::move(rectified), square), 1.0F);
  });
  checkAll(y);
  return cost;
}

double loopByHand() {
  Tensor<float> y;
  const double cost = nanoseconds(elements, [&] {
    y = Tensor<float>::uninitialized({elements});
    hand::formulaLoop(x().data(), elements, y.exclusiveData());
  });
  checkAll(y);
  return cost;
}

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "fused_elementwise",
       .unit = "ns/element",
       .peer = "one kernel for each operation",
       .target = 0.25,
       .ours = fused,
       .theirs = operations},
      {.name = "fused_loop",
       .unit = "ns/element",
       .peer = "a loop by hand for this machine",
       .target = 1.2,
       .ours = fused,
       .theirs = loopByHand},
  };
}

}  // namespace tapestry::benchmarks
