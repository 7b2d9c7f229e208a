// Defines checkTotal, which tries an operation that adds up the elements of a tensor, those along some of its
// axes, or the layers of a range, and checkChoice, which tries max or min.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"
#include "tapestry/deeplearning/operations/arithmetic/negate.hpp"

namespace tapestry::test {

/// The result is a double for all elements, and of a layer's own type for a range.
template <class F>
consteval bool hasTotalTypes() {
  static_assert(std::same_as<std::invoke_result_t<F, Tensor<float>>, double>);
  static_assert(std::same_as<std::invoke_result_t<F, TensorWeight>, DoubleLayer>);
  static_assert(std::same_as<std::invoke_result_t<F, FloatWeight>, DoubleLayer>);
  static_assert(std::same_as<std::invoke_result_t<F, std::vector<FloatLayer>>, FloatLayer>);
  static_assert(std::same_as<std::invoke_result_t<F, std::vector<DoubleTensorWeight>>, DoubleTensorLayer>);
  return true;
}

template <class F>
void checkGradientsOfAll(const F& total) {
  checkUnary<double>(total);
  checkGradients(total, Tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6}));
  checkGradients(onDiamond(total), Tensor<double>({2, 1, 3}, {1, 2, 3, 4, 5, 6}));
  checkGradients([&](const auto& x) { return total(lateLayer(x)); }, Tensor<double>({4}, {1, 2, 3, 4}));
  checkGradients(total, Tensor<double>::scalar(3));
  checkGradients<float>(total, Tensor<float>({2, 2}, {1, 2, 3, 4}));
  checkGradients<float>(total, 2.5F);
}

/// Checks a range that has both operands, the first of them twice.
template <class F>
void checkGradientsOfRange(const F& total) {
  const auto ofRange = [&](const auto& a, const auto& b) { return total(std::vector{-a, -b, -a}); };
  checkGradients(ofRange, 1.5, -2.5);
  checkGradients(ofRange, Tensor<double>({2, 2}, {1, 2, 3, 4}), Tensor<double>({2, 2}, {5, 6, 7, 8}));
  checkGradients<float>(ofRange, Tensor<float>({2}, {1, 2}), Tensor<float>({2}, {5, 6}));
  checkGradients(onDiamond(ofRange), 1.5, -2.5);
  checkGradients(onDiamond(ofRange), Tensor<double>({2}, {1, 2}), Tensor<double>({2}, {5, 6}));
  checkGradients([&](const auto& a) { return total(std::vector{a, a}); }, 1.5);
}

/// An empty range is refused, and layers of different shapes as soon as their shapes are known.
template <class F>
void checkRefusedRanges(const F& total, const std::string& name) {
  const std::string empty = "tapestry::" + name + ": the range is empty, got 0 layers, expected at least 1";
  CHECK_THROWS_WITH_AS(total(std::vector<DoubleLayer>()), empty.c_str(), std::invalid_argument);
  CHECK_THROWS_AS(total(std::vector<TensorLayer>()), std::invalid_argument);

  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const DoubleTensorWeight y(Tensor<double>::zeros({3}));
  const std::string differ =
      "tapestry::" + name + ": the shapes differ, got [2, 3] and [3], expected layers of one shape";
  CHECK_THROWS_WITH_AS(total(std::vector{x, y}), differ.c_str(), ShapeError);
  CHECK_THROWS_WITH_AS(total(std::vector{lateLayer(x), -x, -y}), differ.c_str(), ShapeError);
  CHECK(evaluationError(total(std::vector{lateLayer(x), -y})) == differ);
  CHECK_THROWS_AS(total(std::vector{x, x}) + Tensor<double>::zeros({2}), ShapeError);
}

template <class F>
void checkRefusedAxes(const F& total, const std::string& name) {
  const DoubleTensorWeight x(Tensor<double>::zeros({3}));
  const std::string message =
      "tapestry::" + name + ": axis out of range, got axis 1 of [3], expected different axes in -1 .. 0";
  CHECK_THROWS_WITH_AS(total(x, Axes{1}), message.c_str(), ShapeError);
  CHECK(evaluationError(total(lateLayer(x), Axes{1})) == message);
}

/// total(x), total(x, axes), total(x, axes, keepDims) and total(range). Call it once in a test case.
template <class F>
void checkTotal(const F& total, const std::string& name, bool ofNothing) {
  static_assert(hasTotalTypes<F>());
  SUBCASE("central differences of all elements") { checkGradientsOfAll(total); }
  SUBCASE("central differences of a range") { checkGradientsOfRange(total); }
  SUBCASE("central differences along axes") {
    checkShapes([&](const auto& x) { return total(x, Axes{0}); }, {{3}, {2, 3}, {2, 1, 3}});
    checkShapes(
        [&](const auto& x) {
          return total(x, Axes{-1, 1}, true);
        },
        {{2, 2, 3}, {2, 1, 1, 2, 2}, {0, 2, 2}});
    if (ofNothing) checkShapes([&](const auto& x) { return total(x, Axes{0}); }, {{0, 2}});
    if (ofNothing) checkShapes([&](const auto& x) { return total(x, Axes{-1, 1}, true); }, {{2, 0, 2}});
  }
  SUBCASE("central differences along drawn axes") { checkReduction(total, ofNothing); }
  SUBCASE("refused ranges") { checkRefusedRanges(total, name); }
  SUBCASE("refused axes") { checkRefusedAxes(total, name); }
}

template <class F>
void checkEqualOperands(const F& choice, bool isMax) {
  const DoubleWeight x(2), y(2);
  const auto scalars = gradients(choice(x, y)).blockingAwait();
  CHECK(scalars.of(x) == 0.5);
  CHECK(scalars.of(y) == 0.5);

  const Tensor<double> ofSecond({3}, {1, 0.5, 0}), ofFirst({3}, {0, 0.5, 1});
  const DoubleTensorWeight a(Tensor<double>({3}, {1, 2, 3})), b(Tensor<double>({3}, {3, 2, 1}));
  const auto tensors = gradients(choice(a, b)).blockingAwait();
  CHECK(tensors.of(a) == (isMax ? ofFirst : ofSecond));
  CHECK(tensors.of(b) == (isMax ? ofSecond : ofFirst));

  const auto mixed = gradients(choice(a, x)).blockingAwait();
  CHECK(mixed.of(a) == (isMax ? ofFirst : ofSecond));
  CHECK(mixed.of(x) == 1.5);
}

/// max or min, by its name: choice(x, y), choice(x), choice(x, axes) and choice(x, axes, keepDims). Call it
/// once in a test case.
template <class F>
void checkChoice(const F& choice, const std::string& name) {
  const double sign = name == "max" ? 1 : -1;  // the numbers below are those for max
  const auto signedTensor = [&](const Shape& shape, std::vector<double> values) {
    for (double& value : values) value *= sign;
    return Tensor<double>(shape, values);
  };
  const Tensor<double> x = signedTensor({2, 3}, {1, 5, 3, 4, 2, 6});
  SUBCASE("equal operands share the delta equally") { checkEqualOperands(choice, sign > 0); }
  SUBCASE("values along axes, and of all elements") {
    CHECK(choice(x, Axes{1}) == signedTensor({2}, {5, 6}));
    CHECK(choice(x, Axes{0}, true) == signedTensor({1, 3}, {4, 5, 6}));
    CHECK(std::isnan(choice(Tensor<double>({2}, {NAN, 1}), Axes{0}).item()));
    CHECK(choice(x) == 6 * sign);
    CHECK(choice(Tensor<float>({}, {-2})) == -2.0);
  }
  SUBCASE("central differences") {
    checkReduction(choice, false);
    checkShapes([&](const auto& each) { return choice(each, Axes{0}); }, {{3}, {2, 3}, {2, 1, 3}});
    checkShapes(
        [&](const auto& each) {
          return choice(each, Axes{-1, 1}, true);
        },
        {{2, 2, 3}, {2, 1, 1, 2, 2}, {0, 2, 2}});
    checkShapes([&](const auto& each) { return choice(each); }, {{3}, {2, 3}, {}});
  }
  SUBCASE("chosen elements that are equal share the delta equally") {
    const DoubleTensorWeight equal(signedTensor({4}, {2, 1, 2, 2}));
    const auto found = gradientsOf(asLoss(3.0 * choice(equal, Axes{0})));
    const double share = found.of(equal)(0);
    CHECK(share != 0);
    CHECK(found.of(equal) == Tensor<double>({4}, {share, 0, share, share}));
  }
  SUBCASE("nothing to choose from") {
    const Tensor<double> none = Tensor<double>::zeros({2, 0});
    const std::string message =
        "tapestry::" + name + ": nothing to choose from, got [2, 0], expected axes with extents above 0";
    CHECK_THROWS_WITH_AS(choice(none, Axes{1}), message.c_str(), ShapeError);
    CHECK(choice(none, Axes{0}).shape() == Shape{0});
    CHECK_THROWS_AS(choice(none), ShapeError);
  }
}

}  // namespace tapestry::test
