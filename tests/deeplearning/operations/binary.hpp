// Defines checkKinds and checkBinary, which try an operation on all kinds of two operands, and
// checkBroadcast, which compares it with a table.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "deeplearning/operations/support.hpp"

namespace tapestry::test {

/// The gradients of an operation on x and y, which may be literals, weights and layers, on a diamond and with
/// itself.
template <class Precision, class F, class A, class B>
void checkKinds(const F& operation, const A& x, const B& y) {
  checkGradients<Precision>(operation, x, y);
  checkGradients<Precision>(onDiamond(operation), x, y);
  checkGradients<Precision>([&](const auto& a) { return operation(a, y); }, x);
  checkGradients<Precision>([&](const auto& b) { return operation(x, b); }, y);
  checkGradients<Precision>([&](const auto& a, const auto& b) { return operation(lateLayer(a), b); }, x, y);
  checkGradients<Precision>([&](const auto& a, const auto& b) { return operation(a, lateLayer(b)); }, x, y);
  checkLiteral(operation(x, y), operation(Layer<A>(x), y));
  checkLiteral(operation(x, y), operation(x, Layer<B>(y)));
}

/// Scalars that meet a tensor take its element type, two scalars the wider one; of literals alone the result
/// is data, else a layer.
template <class F>
consteval bool hasBinaryTypes() {
  static_assert(std::same_as<std::invoke_result_t<F, Tensor<double>, Tensor<double>>, Tensor<double>>);
  static_assert(std::same_as<std::invoke_result_t<F, double, Tensor<float>>, Tensor<float>>);
  static_assert(std::same_as<std::invoke_result_t<F, Tensor<float>, double>, Tensor<float>>);
  static_assert(std::same_as<std::invoke_result_t<F, double, double>, double>);
  static_assert(std::same_as<std::invoke_result_t<F, double, DoubleWeight>, DoubleLayer>);
  static_assert(std::same_as<std::invoke_result_t<F, FloatWeight, double>, DoubleLayer>);
  static_assert(std::same_as<std::invoke_result_t<F, DoubleWeight, TensorLayer>, TensorLayer>);
  static_assert(std::same_as<std::invoke_result_t<F, TensorWeight, float>, TensorLayer>);
  return true;
}

/// The gradients of an elementwise operation on an A and a B, broadcast on either side, in the coarser of
/// their precisions.
template <class A, class B, class F>
void checkBinary(const F& operation, From fromA = {}, From fromB = {}) {
  constexpr bool coarse =
      std::same_as<detail::ElementOf<A>, float> || std::same_as<detail::ElementOf<B>, float>;
  using Precision = std::conditional_t<coarse, float, double>;
  Random random(12);
  const bool tensors = detail::isTensor<A> || detail::isTensor<B>;
  for (int round = 0; round < (tensors ? shapeRounds : 4); ++round) {
    const Shape shape = smallShape(random, round);
    // the left one, the right one, and both
    const auto x = fromA.draw<A>(random, round < 6 || round >= 12 ? random.stretching(shape) : shape);
    const auto y = fromB.draw<B>(random, round >= 6 ? random.stretching(shape) : shape);
    checkKinds<Precision>(operation, x, y);
  }
}

/// An operation of two operands that broadcast: its values, and where its gradients are checked.
struct Broadcast {
  const char* name;  ///< in messages
  double x = 6;
  double y = 4;
  double ofScalars;  ///< of x and y
  std::vector<double> row{2, 4};
  std::vector<double> withRow;      ///< of {{1, 2}, {3, 4}} and the row
  std::vector<double> scalarRight;  ///< of {{1, 2}, {3, 4}} and 2
  std::vector<double> scalarLeft;   ///< of 2 and {{1, 2}, {3, 4}}
  From left{};                      ///< operands where gradients are compared with central differences
  From right{};
};

template <class F>
void checkValues(const F& operation, const Broadcast& table) {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  const Tensor<double> row({2}, table.row);
  const Tensor<double> withRow({2, 2}, table.withRow);
  CHECK(operation(table.x, table.y) == table.ofScalars);
  CHECK(valueOf(operation(DoubleLayer(table.x), table.y)) == table.ofScalars);
  CHECK(operation(x, row) == withRow);
  CHECK(valueOf(operation(DoubleTensorLayer(x), row)) == withRow);
  CHECK(valueOf(operation(x, DoubleLayer(2))) == Tensor<double>({2, 2}, table.scalarRight));
  CHECK(valueOf(operation(2.0, DoubleTensorLayer(x))) == Tensor<double>({2, 2}, table.scalarLeft));
}

/// Shapes that do not broadcast are refused as soon as they are known, and the weights stay as they are.
template <class F>
void checkRefusal(const F& operation, const std::string& name, const std::string& got = "[2, 3] and [2]") {
  const DoubleTensorWeight x(Tensor<double>::zeros({2, 3}));
  const auto y = Tensor<double>::full({2}, 1);
  const std::string message = "tapestry::" + name + ": shapes do not broadcast, got " + got +
                              ", expected extents that are equal or 1, aligned at the last axis";
  CHECK_THROWS_WITH_AS(operation(x, y), message.c_str(), ShapeError);
  CHECK_THROWS_WITH_AS(operation(x.data(), y), message.c_str(), ShapeError);
  CHECK(evaluationError(operation(lateLayer(x), y)) == message);
  CHECK(evaluationError(operation(x, lateLayer(y))) == message);
  CHECK(x.data() == Tensor<double>::zeros({2, 3}));
}

/// Call it once in a test case.
template <class F>
void checkBroadcast(const F& operation, const Broadcast& table) {
  static_assert(hasBinaryTypes<F>());
  const From left = table.left;
  const From right = table.right;
  SUBCASE("values of scalars, tensors and both") { checkValues(operation, table); }
  SUBCASE("central differences") {
    checkBinary<double, double>(operation, left, right);
    checkBinary<Tensor<double>, Tensor<double>>(operation, left, right);
  }
  SUBCASE("central differences where a scalar meets a tensor") {
    checkBinary<double, Tensor<double>>(operation, left, right);
    checkBinary<Tensor<double>, double>(operation, left, right);
  }
  SUBCASE("central differences in single precision") {
    checkBinary<float, double>(operation, left, right);
    checkBinary<Tensor<float>, Tensor<float>>(operation, left, right);
    checkBinary<double, Tensor<float>>(operation, left, right);
  }
  SUBCASE("the delta adds up where both operands are one layer") {
    checkGradients([&](const auto& x) { return operation(x, x); }, 1.25);
    checkGradients([&](const auto& x) { return operation(x, x); }, Tensor<double>({2}, {0.5, 1.5}));
  }
  SUBCASE("refused shapes") { checkRefusal(operation, table.name); }
}

}  // namespace tapestry::test
