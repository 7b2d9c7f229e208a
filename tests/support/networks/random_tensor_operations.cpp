#include <algorithm>
#include <utility>

#include "support/networks/late_layer.hpp"
#include "support/networks/random_operations.hpp"
#include "tapestry/deeplearning.hpp"

namespace tapestry::test {

bool apart(const Tensor<double>& x) {
  std::vector<double> sorted(x.values().begin(), x.values().end());
  std::ranges::sort(sorted);
  return x.size() != 0 && std::ranges::adjacent_find(sorted, [](double low, double high) {
                            return high - low < 0.02;
                          }) == sorted.end();
}

namespace {

using Values = const Tensor<double>&;
using Result = std::optional<RandomResult>;

/// An operation along an axis, which is chosen at random: "name($a, {1}, true)".
template <class F>
RandomOperation along(std::string name, F function, bool (*fits)(Values)) {
  return onTensor([=](Random& random, const DoubleTensorLayer& x, Values value) -> Result {
    if (!fits(value)) return std::nullopt;
    const auto axis = static_cast<std::ptrdiff_t>(random.below(value.rank()));
    const bool keepDims = random.below(2) == 0;
    return RandomResult{function(x, Axes{axis}, keepDims),
                        name + "($a, {" + std::to_string(axis) + "}, " + (keepDims ? "true)" : "false)")};
  });
}

bool notEmpty(Values x) { return x.size() != 0; }
bool notZero(Values x) { return notEmpty(x) && awayFrom(0, x); }

RandomResult reshaped(Random& random, const DoubleTensorLayer& x, Values value) {
  std::vector<std::size_t> extents(value.shape().begin(), value.shape().end());
  std::ranges::reverse(extents);
  if (random.below(2) == 0) extents = {1, value.size()};
  const Shape shape(extents);
  std::string text = toString(shape);
  text.front() = '{', text.back() = '}';
  return {reshape(x, shape), "reshape($a, " + text + ")"};
}

/// Everything, or every other one, or backwards, along each axis.
RandomResult sliced(Random& random, const DoubleTensorLayer& x, Values value) {
  std::vector<Slice> slices;
  std::string text;
  for (std::size_t axis = 0; axis < value.rank(); ++axis) {
    const std::ptrdiff_t steps[] = {1, 2, -1, -2};
    slices.push_back({.step = steps[random.below(4)]});
    text += (text.empty() ? "" : ", ") + ("Slice{.step = " + std::to_string(slices.back().step) + "}");
  }
  return {slice(x, slices), "slice($a, {" + text + "})"};
}

RandomResult cutOff(Random& random, const DoubleTensorLayer& x, Values value) {
  const auto extent = static_cast<std::ptrdiff_t>(value.shape()[0]);
  const auto first = static_cast<std::ptrdiff_t>(random.below(value.shape()[0] + 1));
  return {slice(x, {Slice{first, extent}}),
          "slice($a, {Slice{" + std::to_string(first) + ", " + std::to_string(extent) + "}})"};
}

/// A layer that is chosen in the pass by another one's data.
RandomOperation chosen() {
  return {2, [](Random& random, const RandomNode& a, const RandomNode& b) -> Result {
            const auto* condition = std::get_if<DoubleLayer>(&a.layer);
            const auto* x = std::get_if<DoubleTensorLayer>(&b.layer);
            if (!condition || !x || !awayFrom(0, a.value)) return std::nullopt;
            const bool swapped = random.below(2) == 0;
            const auto program = forward(*condition).flatMap([x = *x, swapped](const auto& tape) {
              return (tape.data > 0) != swapped ? forward(sin(x)) : forward(x * x);
            });
            return RandomResult{
                DoubleTensorLayer(program),
                std::string("DoubleTensorLayer(forward($a).flatMap([=](const auto& tape) { return ") +
                    (swapped ? "tape.data <= 0" : "tape.data > 0") +
                    " ? forward(sin($b)) : forward($b * $b); }))"};
          }};
}

RandomOperation late() {
  return {
      1, [](Random&, const RandomNode& a, const RandomNode&) -> Result {
        return std::visit([](const auto& x) { return RandomResult{lateLayer(x), "lateLayer($a)"}; }, a.layer);
      }};
}

}  // namespace

std::vector<RandomOperation> tensorOperations() {
  using X = DoubleTensorLayer;
  std::vector<RandomOperation> operations{
      along(
          "sum", [](const X& x, const Axes& axes, bool keep) { return sum(x, axes, keep); },
          [](Values) { return true; }),
      along(
          "mean", [](const X& x, const Axes& axes, bool keep) { return mean(x, axes, keep); }, notEmpty),
      along(
          "variance", [](const X& x, const Axes& axes, bool keep) { return variance(x, axes, keep); },
          notEmpty),
      along(
          "logSumExp", [](const X& x, const Axes& axes, bool keep) { return logSumExp(x, axes, keep); },
          notEmpty),
      along(
          "norm", [](const X& x, const Axes& axes, bool keep) { return norm(x, axes, keep); }, notZero),
      along(
          "max", [](const X& x, const Axes& axes, bool keep) { return max(x, axes, keep); }, apart),
      along(
          "min", [](const X& x, const Axes& axes, bool keep) { return min(x, axes, keep); }, apart),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{sum(x), "sum($a)"};
      }),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{mean(x), "mean($a)"};
      }),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{softmax(x), "softmax($a)"};
      }),
      onTensor([](Random&, const X& x, Values value) {
        return notEmpty(value) ? Result({logSoftmax(x, 0), "logSoftmax($a, 0)"}) : std::nullopt;
      }),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{transpose(x), "transpose($a)"};
      }),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{permute(x, {-1, 0}), "permute($a, {-1, 0})"};
      }),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{expandDims(x, 1), "expandDims($a, 1)"};
      }),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{broadcastTo(x, {2, 2, 3}), "broadcastTo($a, {2, 2, 3})"};
      }),
      onTensor([](Random&, const X& x, Values) {
        return RandomResult{split(x, 2, 1).back(), "split($a, 2, 1).back()"};
      }),
      onTensor(reshaped),
      onTensor(sliced),
      onTensor(cutOff),
      onTwoTensors("concat(std::vector{$a, $b, $a}, -1)",
                   [](const X& x, const X& y) {
                     return concat(std::vector{x, y, x}, -1);
                   }),
      onTwoTensors("stack(std::vector{$a, $b})",
                   [](const X& x, const X& y) {
                     return stack(std::vector{x, y});
                   }),
      onTwoTensors("sum(std::vector{$a, $b, $b})",
                   [](const X& x, const X& y) {
                     return sum(std::vector{x, y, y});
                   }),
      late(),
  };
  // these seldom fit
  const auto matrixProduct =
      onTwoTensors("matmul($a, $b)", [](const X& x, const X& y) { return matmul(x, y); });
  for (int i = 0; i < 5; ++i) operations.insert(operations.end(), {matrixProduct, chosen()});
  return operations;
}

}  // namespace tapestry::test
