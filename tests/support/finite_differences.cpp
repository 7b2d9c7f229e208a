#include "support/finite_differences.hpp"

#include <algorithm>
#include <cmath>

#include "tapestry/deeplearning/operations/sum.hpp"

namespace tapestry::test {

template double valueOf(const DoubleLayer&);
template float valueOf(const FloatLayer&);
template Tensor<float> valueOf(const TensorLayer&);
template Tensor<double> valueOf(const DoubleTensorLayer&);

namespace {

/// The sum of all elements, each times a factor of its own, so that no two elements have the same delta.
double weightedSumFactor(std::size_t i) { return std::cos(static_cast<double>(1 + 2 * i)); }
constexpr auto weightedSum = unaryOperation<"weightedSum", Keep::operands, ToScalar>(
    [](const auto& x) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        sum += weightedSumFactor(i) * static_cast<double>(x.data()[i]);
      return sum;
    },
    [](double delta, auto x) {
      for (std::size_t i = 0; auto& element : elementsOf(x))
        element = static_cast<std::decay_t<decltype(element)>>(delta * weightedSumFactor(i++));
      return x;
    });

}  // namespace

DoubleLayer asLoss(const DoubleLayer& layer) { return sum(layer); }
DoubleLayer asLoss(const FloatLayer& layer) { return sum(layer); }
DoubleLayer asLoss(const TensorLayer& layer) { return weightedSum(layer); }
DoubleLayer asLoss(const DoubleTensorLayer& layer) { return weightedSum(layer); }

Gradients<double> gradientsOf(const DoubleLayer& loss) { return gradients(loss).blockingAwait(); }

template <class Precision, class Data>
void checkGradient(const DoubleLayer& loss, const Weight<Data>& weight, const Gradients<double>& gradients) {
  Data exact = gradients.of(weight);
  const Data start = weight.data();
  REQUIRE(kernels::shapeOf(exact) == kernels::shapeOf(start));
  Data moved = start;
  for (std::size_t i = 0; i < elementsOf(moved).size(); ++i) {
    const auto middle = elementsOf(moved)[i];
    const auto lossAt = [&](double value) {
      elementsOf(moved)[i] = static_cast<detail::ElementOf<Data>>(value);
      weight.setData(moved);
      return valueOf(loss);
    };
    const double x = static_cast<double>(middle);
    const double step = differenceStep<Precision> * std::max(1.0, std::abs(x));
    const double expected = (lossAt(x + step) - lossAt(x - step)) / (2 * step);
    elementsOf(moved)[i] = middle;
    const double got = static_cast<double>(elementsOf(exact)[i]);
    INFO("element ", i, " at ", x, ": got ", got, ", expected ", expected);
    CHECK(std::abs(got - expected) <=
          differenceTolerance<Precision> * std::max({1.0, std::abs(got), std::abs(expected)}));
  }
  weight.setData(start);
}

template void checkGradient<double>(const DoubleLayer&, const DoubleWeight&, const Gradients<double>&);
template void checkGradient<float>(const DoubleLayer&, const DoubleWeight&, const Gradients<double>&);
template void checkGradient<float>(const DoubleLayer&, const FloatWeight&, const Gradients<double>&);
template void checkGradient<double>(const DoubleLayer&, const DoubleTensorWeight&, const Gradients<double>&);
template void checkGradient<float>(const DoubleLayer&, const DoubleTensorWeight&, const Gradients<double>&);
template void checkGradient<float>(const DoubleLayer&, const TensorWeight&, const Gradients<double>&);

}  // namespace tapestry::test
