#include <tapestry/deeplearning/layers/multi_head_attention.hpp>

#include "deeplearning/layers/support.hpp"
#include "support/error_text.hpp"
#include "support/networks/late_layer.hpp"
#include "tapestry/tensor/shape_error.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

Tensor<double> identityMatrix(std::size_t extent) {
  auto result = Tensor<double>::zeros({extent, extent});
  for (std::size_t i = 0; i < extent; ++i) result.exclusiveData()[i * (extent + 1)] = 1;
  return result;
}

/// The columns of x that one of two heads sees.
Tensor<double> headOf(const Tensor<double>& x, std::size_t head) {
  const std::size_t width = x.shape()[1] / 2;
  auto result = Tensor<double>::uninitialized({x.shape()[0], width});
  for (std::size_t i = 0; i < result.size(); ++i)
    result.exclusiveData()[i] = x(i / width, head * width + i % width);
  return result;
}

/// The gradients of the layer's weights, and of x, which the network takes to the layer.
template <class F>
void checkAttention(const F& network, const MultiHeadAttention<double>& layer, const Tensor<double>& data) {
  const DoubleTensorWeight x(data);
  checkWeights(asLoss(network(x)), Weights{{"layer", layer}, {"x", x}});
}

}  // namespace

TEST_CASE("each head of an attention layer sees its own part of the rows") {
  Generator generator(9);
  const MultiHeadAttention<double> layer({.width = 4, .heads = 2}, generator);
  for (const auto& dense : {layer.query, layer.key, layer.value, layer.output})
    dense.weight.setData(identityMatrix(4));
  const auto x = normal<double>({3, 4}, 0, 1, generator);
  const auto y = valueOf(layer(x));
  for (const std::size_t head : {0, 1}) {
    const auto part = headOf(x, head);
    const auto expected = scaledDotProductAttention(part, part, part);
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(headOf(y, head).data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-12));
  }
}

TEST_CASE("the gradients of an attention layer are the central differences") {
  Generator generator(10);
  const MultiHeadAttention<double> layer({.width = 4, .heads = 2}, generator);
  checkLayer(layer, normal<double>({3, 4}, 0, 1, generator));
  checkAttention([&](const auto& x) { return layer(x, {.causal = true}); }, layer,
                 normal<double>({2, 3, 4}, 0, 1, generator));
  checkAttention([&](const auto& x) { return layer(lateLayer(x)); }, layer,
                 normal<double>({2, 4}, 0, 1, generator));
}

TEST_CASE("the gradients of an attention layer are the central differences, for any heads and lengths") {
  checkLayers([](Random& random, Generator& generator) {
    const std::size_t heads = 1 + random.below(2);
    const std::size_t width = heads * (1 + random.below(2));
    const MultiHeadAttention<double> layer({.width = width, .heads = heads}, generator);
    const Shape stack = drawShape(random, 0, 2);
    std::vector<std::size_t> extents(stack.begin(), stack.end());
    if (stack.size() > 4) extents = {2};
    const auto memory = random.tensor<double>({1 + random.below(3), width});
    extents.insert(extents.end(), {1 + random.below(3), width});
    const kernels::Attention attention{.causal = random.below(2) == 0};
    const bool itself = random.below(2) == 0;
    return DrawnLayer{
        layer.weights(),
        [=](const auto& x) { return asLoss(itself ? layer(x, attention) : layer(x, memory, attention)); },
        random.tensor<double>(Shape(extents))};
  });
}

TEST_CASE("an attention layer reads another memory, as far as a mask lets it") {
  Generator generator(11);
  const MultiHeadAttention<> layer({.width = 6, .heads = 3}, generator);
  const auto x = normal<>({2, 4, 6}, 0, 1, generator);
  const auto memory = normal<>({5, 6}, 0, 1, generator);
  CHECK(valueOf(layer(x, memory)).shape() == Shape{2, 4, 6});
  const float inf = std::numeric_limits<float>::infinity();
  const auto first = Tensor<float>(Shape{1, 6}, memory.values().subspan(0, 6));
  const auto masked = valueOf(layer(x, memory, Tensor<float>({5}, {0, -inf, -inf, -inf, -inf})));
  const auto expected = valueOf(layer(x, first));
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(masked.data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-5));
}

TEST_CASE("an attention layer has its weights, and refuses widths that its heads do not divide") {
  Generator generator(12);
  const MultiHeadAttention<> layer({.width = 6, .heads = 3}, generator);
  CHECK(layer.weights().elements() == 4 * (6 * 6 + 6));
  CHECK(layer.weights().begin()->name == "query.weight");
  CHECK(errorOf([&] { MultiHeadAttention<>({.width = 6, .heads = 4}, generator); }) ==
        "tapestry::MultiHeadAttention: the heads do not divide the width, got 4 heads for a width of 6, "
        "expected a "
        "divisor");
  CHECK(errorOf([&] { return layer(Tensor<float>::zeros({6})); }) ==
        "tapestry::multiHeadAttention: the rows cannot be divided among heads, got [6], expected [..., T, E] "
        "with an "
        "E that 3 divides");
}
