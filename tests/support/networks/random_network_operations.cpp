#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/networks/random_operations.hpp"
#include "tapestry/deeplearning.hpp"

namespace tapestry::test {

namespace {

using X = DoubleTensorLayer;
using Values = const Tensor<double>&;
using Result = std::optional<RandomResult>;

/// "{1, -2, 0}"
template <class Range>
std::string listed(const Range& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "{" : ", ") + std::to_string(number);
  return (text.empty() ? "{" : text) + "}";
}

std::vector<std::int64_t> drawPlaces(Random& random, std::size_t extent) {
  std::vector<std::int64_t> places(1 + random.below(3));
  for (std::int64_t& place : places)
    place = static_cast<std::int64_t>(random.below(2 * extent)) - static_cast<std::int64_t>(extent);
  return places;
}

Result gathered(Random& random, const X& x, Values value) {
  const std::size_t axis = random.below(value.rank());
  if (value.shape()[axis] == 0) return std::nullopt;
  const auto places = drawPlaces(random, value.shape()[axis]);
  return RandomResult{gather(x, places, static_cast<std::ptrdiff_t>(axis)),
                      "gather($a, " + listed(places) + ", " + std::to_string(axis) + ")"};
}

Result scattered(Random& random, const X& x, Values value) {
  std::vector<std::int64_t> places(value.shape()[0]);
  for (std::int64_t& place : places) place = static_cast<std::int64_t>(random.below(3));
  return RandomResult{scatter(x, places, 0, 3), "scatter($a, " + listed(places) + ", 0, 3)"};
}

Result padded(Random& random, const X& x, Values) {
  const std::size_t before = random.below(2);
  const std::size_t after = random.below(2);
  return RandomResult{pad(x, {{before, after}}, 0.5),
                      "pad($a, {" + listed(std::vector{before, after}) + "}, 0.5)"};
}

Result translated(Random& random, const X& x, Values value) {
  std::vector<std::ptrdiff_t> offsets(1 + random.below(value.rank()));
  for (std::ptrdiff_t& offset : offsets) offset = static_cast<std::ptrdiff_t>(random.below(3)) - 1;
  return RandomResult{translate(x, offsets), "translate($a, " + listed(offsets) + ")"};
}

Result selected(Random& random, const X& x, Values value) {
  if (value.rank() != 2 || value.size() == 0) return std::nullopt;
  const auto i = random.below(value.shape()[0]);
  const auto j = random.below(value.shape()[1]);
  return RandomResult{x(i, j), "$a(" + std::to_string(i) + ", " + std::to_string(j) + ")"};
}

Result labelled(Random& random, const X& x, Values value) {
  if (value.rank() != 2 || value.size() == 0) return std::nullopt;
  std::vector<std::uint32_t> labels(value.shape()[0]);
  for (std::uint32_t& label : labels) label = static_cast<std::uint32_t>(random.below(value.shape()[1]));
  return RandomResult{softmaxCrossEntropy(x, labels),
                      "softmaxCrossEntropy($a, std::vector<std::uint32_t>" + listed(labels) + ")"};
}

/// Windows of two columns, with a border or without.
template <class F>
RandomOperation pooled(const std::string& name, F function, bool (*fits)(Values)) {
  return onTensor([=](Random& random, const X& x, Values value) -> Result {
    if (value.rank() < 2 || !fits(value)) return std::nullopt;
    const std::size_t border = random.below(2);
    return RandomResult{
        function(x, kernels::Pooling{.window = {1, 2}, .stride = 1, .padding = {0, border}}),
        name + "($a, {.window = {1, 2}, .stride = 1, .padding = {0, " + std::to_string(border) + "}})"};
  });
}

/// A plane by a filter, which are matrices.
RandomOperation convolved() {
  return {2, [](Random& random, const RandomNode& a, const RandomNode& b) -> Result {
            const auto* x = std::get_if<X>(&a.layer);
            const auto* y = std::get_if<X>(&b.layer);
            if (!x || !y || a.value.rank() != 2 || b.value.rank() != 2) return std::nullopt;
            const auto image = [](const Shape& shape) { return Shape{1, 1, shape[0], shape[1]}; };
            const Shape from = image(a.value.shape());
            const Shape by = image(b.value.shape());
            const std::size_t padding = random.below(3);
            return RandomResult{conv2d(reshape(*x, from), reshape(*y, by), {.padding = padding}),
                                "conv2d(reshape($a, " + listed(from) + "), reshape($b, " + listed(by) +
                                    "), {.padding = " + std::to_string(padding) + "})"};
          }};
}

/// All elements of two tensors, as vectors.
RandomOperation multiplied() {
  return {2, [](Random&, const RandomNode& a, const RandomNode& b) -> Result {
            const auto* x = std::get_if<X>(&a.layer);
            const auto* y = std::get_if<X>(&b.layer);
            if (!x || !y || a.value.size() != b.value.size()) return std::nullopt;
            const Shape vector{a.value.size()};
            const std::string text = listed(vector);
            return RandomResult{dot(reshape(*x, vector), reshape(*y, vector)),
                                "dot(reshape($a, " + text + "), reshape($b, " + text + "))"};
          }};
}

RandomOperation contracted() {
  return {2, [](Random& random, const RandomNode& a, const RandomNode& b) -> Result {
            const auto* x = std::get_if<X>(&a.layer);
            const auto* y = std::get_if<X>(&b.layer);
            if (!x || !y) return std::nullopt;
            const char* const subscripts[] = {"ij,kj->ik", "ij,ij->i",   "ij,kj->kij",
                                              "j,ij->i",   "ij,aij->aj", ",ij->ji"};
            const std::string chosen = subscripts[random.below(6)];
            return RandomResult{einsum(chosen, *x, *y), "einsum(\"" + chosen + "\", $a, $b)"};
          }};
}

RandomOperation attended() {
  return {2, [](Random& random, const RandomNode& a, const RandomNode& b) -> Result {
            const auto* x = std::get_if<X>(&a.layer);
            const auto* y = std::get_if<X>(&b.layer);
            if (!x || !y) return std::nullopt;
            const bool causal = random.below(2) == 0;
            return RandomResult{scaledDotProductAttention(*x, *y, *y, {.causal = causal}),
                                std::string("scaledDotProductAttention($a, $b, $b, {.causal = ") +
                                    (causal ? "true})" : "false})")};
          }};
}

RandomOperation hinged() {
  return {2, [](Random&, const RandomNode& a, const RandomNode& b) -> Result {
            if (a.value.size() * b.value.size() == 0 || !awayFrom(1, a.value * b.value)) return std::nullopt;
            return std::visit(
                [](const auto& x, const auto& y) {
                  return RandomResult{hinge(x, y), "hinge($a, $b)"};
                },
                a.layer, b.layer);
          }};
}

}  // namespace

std::vector<RandomOperation> networkOperations() {
  std::vector<RandomOperation> operations{
      onTensor(gathered),
      onTensor(scattered),
      onTensor(padded),
      onTensor(translated),
      onTensor(selected),
      onTensor(labelled),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{layerNorm(x, {.epsilon = 0.5}), "layerNorm($a, {.epsilon = 0.5})"};
      }),
      pooled(
          "maxPool2d", [](const X& x, const auto& how) { return maxPool2d(x, how); }, apart),
      pooled(
          "avgPool2d", [](const X& x, const auto& how) { return avgPool2d(x, how); },
          [](Values) { return true; }),
      convolved(),
      contracted(),
      contracted(),
      multiplied(),
      attended(),
      hinged(),
      onTwoTensors("layerNorm($a, $b, $b, {.epsilon = 0.5})",
                   [](const X& x, const X& y) { return layerNorm(x, y, y, {.epsilon = 0.5}); }),
      onTwoTensors("matmul($a, Transpose::yes, $b, Transpose::no)",
                   [](const X& x, const X& y) { return matmul(x, Transpose::yes, y, Transpose::no); }),
      onTwoTensors("matmul($a, Transpose::no, $b, Transpose::yes)",
                   [](const X& x, const X& y) { return matmul(x, Transpose::no, y, Transpose::yes); }),
      onTwoTensors("crossEntropy($a, $b)", [](const X& x, const X& y) { return crossEntropy(x, y); }),
      onTwoTensors("binaryCrossEntropyWithLogits($a, $b)",
                   [](const X& x, const X& y) { return binaryCrossEntropyWithLogits(x, y); }),
  };
  // this seldom fits
  const auto allProducts = onTwoTensors("outer($a, $b)", [](const X& x, const X& y) { return outer(x, y); });
  for (int i = 0; i < 4; ++i) operations.push_back(allProducts);
  return operations;
}

}  // namespace tapestry::test
