// Gradients of networks that are drawn at random, with diamonds, weights that are used again, and layers that
// are chosen in the pass, compared with differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "support/networks/finite_differences.hpp"
#include "support/networks/random_graph.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning/count_pass.hpp"
#include "tapestry/deeplearning/operations/layout/scatter.hpp"
#include "tapestry/deeplearning/training/check_finite.hpp"

using namespace tapestry;
using test::elementsOf;
using test::RandomGraph;

namespace {

constexpr unsigned graphs = 200;

bool isSame(double got, double expected) {
  return std::abs(got - expected) <= 1e-6 * std::max({1.0, std::abs(got), std::abs(expected)});
}

/// Calls f(weight) with each weight of the graph.
template <class F>
void forEachWeight(const RandomGraph& graph, const F& f) {
  for (const auto& weight : graph.scalars()) f(weight);
  for (const auto& weight : graph.tensors()) f(weight);
  for (const auto& weight : graph.tables()) f(weight);
}

template <class Data>
Data derivative(const Gradients<double>& gradients, const Weight<Data>& weight) {
  return gradients.of(weight);
}
/// The derivatives of all rows.
Tensor<double> derivative(const Gradients<double>& gradients, const DoubleTableWeight& table) {
  const auto delta = gradients.of(table);
  return scatter(delta.rows(), delta.indices(), 0, table.data().dense().shape()[0]);
}

template <class Data>
Data shifted(Data data, std::size_t element, double step) {
  elementsOf(data)[element] += step;
  return data;
}
Table<double> shifted(const Table<double>& table, std::size_t element, double step) {
  return Table<double>(shifted(table.dense(), element, step));
}

/// The derivative of the loss by an element of a weight, by differences of fourth order.
template <class Data>
double difference(const DoubleLayer& loss, const Weight<Data>& weight, std::size_t element) {
  const Data start = weight.data();
  const auto lossAt = [&](double step) {
    weight.setData(shifted(start, element, step));
    return test::valueOf(loss);
  };
  constexpr double step = 1e-4;
  const double near = lossAt(step) - lossAt(-step);
  const double far = lossAt(2 * step) - lossAt(-2 * step);
  weight.setData(start);
  return (8 * near - far) / (12 * step);
}

/// The number of elements whose derivative is not what differences make of it.
std::size_t wrongDerivatives(const RandomGraph& graph) {
  const auto gradients = test::gradientsOf(graph.loss());
  std::size_t wrong = 0;
  forEachWeight(graph, [&](const auto& weight) {
    auto exact = derivative(gradients, weight);
    for (std::size_t i = 0; i < elementsOf(exact).size(); ++i)
      wrong += !isSame(elementsOf(exact)[i], difference(graph.loss(), weight, i));
  });
  return wrong;
}

}  // namespace

TEST_CASE("the gradients of random graphs are the central differences") {
  for (unsigned seed = 0; seed < graphs; ++seed) {
    const RandomGraph graph(seed);
    INFO("seed ", seed, "\n", graph.text());
    CHECK(wrongDerivatives(graph) == 0);
  }
}

TEST_CASE(
    "random graphs have the same gradients and counts on a pool, and where all is checked to be finite") {
  ThreadPool pool(2);
  for (unsigned seed = 0; seed < graphs; ++seed) {
    const RandomGraph graph(seed);
    INFO("seed ", seed, "\n", graph.text());
    const auto [alone, counts] = countPass(gradients(graph.loss())).blockingAwait();
    const auto [shared, sharedCounts] = countPass(checkFinite(gradients(graph.loss()))).blockingAwait(pool);
    CHECK(alone.loss == shared.loss);
    forEachWeight(graph, [&](const auto& weight) {
      auto first = derivative(alone, weight);
      auto second = derivative(shared, weight);
      CHECK(std::ranges::equal(elementsOf(first), elementsOf(second), isSame));
    });
    CHECK(counts.forwards == sharedCounts.forwards);
    CHECK(counts.backwards == sharedCounts.backwards);
    CHECK(counts.backwards <= counts.forwards);
  }
}

TEST_CASE("every operation that random graphs draw from is in several of them") {
  std::map<std::string, int> graphsWith;
  for (unsigned seed = 0; seed < graphs; ++seed) {
    const std::string text = RandomGraph(seed).text();
    for (const char* name : {"gather",
                             "scatter",
                             "pad",
                             "translate",
                             "softmaxCrossEntropy",
                             "layerNorm",
                             "maxPool2d",
                             "avgPool2d",
                             "conv2d",
                             "einsum",
                             "scaledDotProductAttention",
                             "hinge",
                             "matmul",
                             "dot",
                             "outer",
                             "crossEntropy",
                             "binaryCrossEntropyWithLogits",
                             "softmax",
                             "logSoftmax",
                             "forward",
                             "concat",
                             "stack",
                             "slice"})
      graphsWith[name] += text.find(" " + std::string(name) + "(") != std::string::npos;
  }
  for (const auto& [name, count] : graphsWith) {
    CAPTURE(name);
    CHECK(count >= 5);
  }
}
