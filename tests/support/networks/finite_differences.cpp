#include "support/networks/finite_differences.hpp"

#include <algorithm>
#include <cmath>

#include "tapestry/deeplearning/operations/layout/scatter.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"

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

/// Whether the derivatives are those of the loss at `start`.
template <class Precision, class Data>
void compare(Data exact, const Data& start, const std::function<double(const Data&)>& lossOf) {
  REQUIRE(kernels::shapeOf(exact) == kernels::shapeOf(start));
  Data moved = start;
  for (std::size_t i = 0; i < elementsOf(moved).size(); ++i) {
    const auto middle = elementsOf(moved)[i];
    const auto lossAt = [&](double value) {
      elementsOf(moved)[i] = static_cast<detail::ElementOf<Data>>(value);
      return lossOf(moved);
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
}

}  // namespace

DoubleLayer asLoss(const DoubleLayer& layer) { return sum(layer); }
DoubleLayer asLoss(const FloatLayer& layer) { return sum(layer); }
DoubleLayer asLoss(const TensorLayer& layer) { return weightedSum(layer); }
DoubleLayer asLoss(const DoubleTensorLayer& layer) { return weightedSum(layer); }

Gradients<double> gradientsOf(const DoubleLayer& loss) { return gradients(loss).blockingAwait(); }

template <class Precision, class Data>
void checkGradient(const std::function<double()>& loss, const Weight<Data>& weight,
                   const Gradients<double>& gradients) {
  const Data start = weight.data();
  compare<Precision, Data>(gradients.of(weight), start, [&](const Data& moved) {
    weight.setData(moved);
    return loss();
  });
  weight.setData(start);
}

void checkTableGradient(const DoubleLayer& loss, const DoubleTableWeight& table) {
  const auto start = table.data().dense();
  const auto delta = gradientsOf(loss).of(table);
  compare<double, Tensor<double>>(scatter(delta.rows(), delta.indices(), 0, start.shape()[0]), start,
                                  [&](const Tensor<double>& moved) {
                                    table.setData(Table<double>(moved));
                                    return valueOf(loss);
                                  });
  table.setData(Table<double>(start));
}

template void checkGradient<double>(const std::function<double()>&, const DoubleWeight&,
                                    const Gradients<double>&);
template void checkGradient<float>(const std::function<double()>&, const DoubleWeight&,
                                   const Gradients<double>&);
template void checkGradient<float>(const std::function<double()>&, const FloatWeight&,
                                   const Gradients<double>&);
template void checkGradient<double>(const std::function<double()>&, const DoubleTensorWeight&,
                                    const Gradients<double>&);
template void checkGradient<float>(const std::function<double()>&, const DoubleTensorWeight&,
                                   const Gradients<double>&);
template void checkGradient<float>(const std::function<double()>&, const TensorWeight&,
                                   const Gradients<double>&);

}  // namespace tapestry::test
