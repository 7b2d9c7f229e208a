#include <tapestry/deeplearning/operations/arithmetic/abs.hpp>
#include <tapestry/deeplearning/operations/arithmetic/add.hpp>
#include <tapestry/deeplearning/operations/arithmetic/comparison.hpp>
#include <tapestry/deeplearning/operations/arithmetic/cos.hpp>
#include <tapestry/deeplearning/operations/arithmetic/divide.hpp>
#include <tapestry/deeplearning/operations/arithmetic/exp.hpp>
#include <tapestry/deeplearning/operations/arithmetic/log.hpp>
#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>
#include <tapestry/deeplearning/operations/arithmetic/negate.hpp>
#include <tapestry/deeplearning/operations/arithmetic/pow.hpp>
#include <tapestry/deeplearning/operations/arithmetic/sign.hpp>
#include <tapestry/deeplearning/operations/arithmetic/sin.hpp>
#include <tapestry/deeplearning/operations/arithmetic/sqrt.hpp>
#include <tapestry/deeplearning/operations/arithmetic/subtract.hpp>
#include <tapestry/deeplearning/operations/arithmetic/where.hpp>
#include <tapestry/deeplearning/operations/reduction/max.hpp>
#include <tapestry/deeplearning/operations/reduction/min.hpp>

#include "call.hpp"

namespace tapestry::onnx {

namespace {

constexpr auto maximum = [](const TensorLayer& x, const TensorLayer& y) { return max(x, y); };
constexpr auto minimum = [](const TensorLayer& x, const TensorLayer& y) { return min(x, y); };
constexpr auto addition = [](const TensorLayer& x, const TensorLayer& y) { return x + y; };

/// The handler of an operation on any number of inputs, which goes from the first to the last.
template <class F>
constexpr Handler foldedOf(F) {
  return [](const Call& call) -> std::vector<Value> {
    TensorLayer result = call.layer(0);
    for (std::size_t i = 1; i < call.inputs(); ++i) result = F{}(result, call.layer(i));
    return {result};
  };
}

/// The handler of a comparison, which compares whole numbers as floats.
template <class F>
constexpr Handler comparisonOf(F) {
  return [](const Call& call) -> std::vector<Value> {
    constexpr std::int64_t most = 1 << 24;  // up to which float has all whole numbers
    for (std::size_t i = 0; i < 2; ++i)
      if (call.isInteger(i))
        for (const std::int64_t number : call.integers(i).values)
          if (number < -most || number > most)
            call.fail("too large a number to compare, got " + std::to_string(number) +
                      ", expected whole numbers up to " + std::to_string(most));
    return {TensorLayer(F{}(call.layer(0), call.layer(1)))};
  };
}

/// Whole numbers are computed as floats, of which a quotient would have a fraction.
std::vector<Value> quotient(const Call& call) {
  if (call.isInteger(0) || call.isInteger(1))
    call.fail("whole numbers cannot be divided, got INT64 or INT32, expected numbers (a Cast before)");
  return {TensorLayer(call.layer(0) / call.layer(1))};
}

std::vector<Value> clip(const Call& call) {
  TensorLayer x = call.layer(0);
  if (call.has(1)) x = max(x, call.constant(1));
  if (call.has(2)) x = min(x, call.constant(2));
  return {x};
}

std::vector<Value> cast(const Call& call) {
  const auto to = call.attribute<std::int64_t>("to");
  switch (to) {
    case 1:
    case 10:
    case 11:
    case 16:
      return {call.isInteger(0) ? Value(call.constant(0)) : call.any(0)};
    case 9:
      return {TensorLayer(notEqual(call.layer(0), 0.0F))};
    case 6:
    case 7:
      if (call.isInteger(0)) return {call.integers(0)};
      [[fallthrough]];
    default:
      call.fail("the type cannot be reached, got type " + std::to_string(to) +
                ", expected FLOAT, DOUBLE, FLOAT16, BFLOAT16 or BOOL, or INT64 of known whole numbers");
  }
}

std::vector<Value> choice(const Call& call) {
  return {TensorLayer(where(call.layer(0), call.layer(1), call.layer(2)))};
}

void addArithmetic(Handlers& handlers) {
  handlers.insert({{"Abs", unaryOf([](const TensorLayer& x) { return abs(x); })},
                   {"Neg", unaryOf([](const TensorLayer& x) { return -x; })},
                   {"Exp", unaryOf([](const TensorLayer& x) { return exp(x); })},
                   {"Log", unaryOf([](const TensorLayer& x) { return log(x); })},
                   {"Sqrt", unaryOf([](const TensorLayer& x) { return sqrt(x); })},
                   {"Sin", unaryOf([](const TensorLayer& x) { return sin(x); })},
                   {"Cos", unaryOf([](const TensorLayer& x) { return cos(x); })},
                   {"Sign", unaryOf([](const TensorLayer& x) { return sign(x); })},
                   {"Reciprocal", unaryOf([](const TensorLayer& x) { return 1.0F / x; })},
                   {"Sub", binaryOf([](const TensorLayer& x, const TensorLayer& y) { return x - y; })},
                   {"Mul", binaryOf([](const TensorLayer& x, const TensorLayer& y) { return x * y; })},
                   {"Div", quotient},
                   {"Pow", binaryOf([](const TensorLayer& x, const TensorLayer& y) { return pow(x, y); })},
                   {"Add", binaryOf(addition)},
                   {"Sum", foldedOf(addition)},
                   {"Max", foldedOf(maximum)},
                   {"Min", foldedOf(minimum)},
                   {"Clip", clip}});
}

void addConditions(Handlers& handlers) {
  using L = TensorLayer;
  handlers.insert(
      {{"Greater", comparisonOf([](const L& x, const L& y) { return greater(x, y); })},
       {"GreaterOrEqual", comparisonOf([](const L& x, const L& y) { return greaterEqual(x, y); })},
       {"Less", comparisonOf([](const L& x, const L& y) { return less(x, y); })},
       {"LessOrEqual", comparisonOf([](const L& x, const L& y) { return lessEqual(x, y); })},
       {"Equal", comparisonOf([](const L& x, const L& y) { return equal(x, y); })},
       {"And", binaryOf([](const L& x, const L& y) { return x * y; })},
       {"Or", binaryOf(maximum)},
       {"Not", unaryOf([](const L& x) { return 1.0F - x; })},
       {"Where", choice},
       {"Cast", cast}});
}

}  // namespace

void addElementwise(Handlers& handlers) {
  addArithmetic(handlers);
  addConditions(handlers);
}

}  // namespace tapestry::onnx
