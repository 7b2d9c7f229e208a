#include <cmath>
#include <numbers>
#include <utility>

#include "emitter.hpp"

namespace tapestry::onnx::exporting {

namespace {

/// The writer of one node with the operands in their order.
Writer plain(const char* name) {
  return [name](const Operation& operation) { return operation.add(name, operation.inputs); };
}

constexpr std::int64_t toBoolean = 9, toNumber = 1;  // the types that Cast leads to

std::string cast(const Operation& operation, const std::string& value, std::int64_t to) {
  return operation.add("Cast", {value}, {{"to", to}});
}

/// The writer of a comparison, whose result is 1 or 0.
Writer comparison(const char* name, bool negated = false) {
  return [=](const Operation& operation) {
    std::string truth = operation.add(name, operation.inputs);
    if (negated) truth = operation.add("Not", {truth});
    return cast(operation, truth, toNumber);
  };
}

/// x (1 + tanh(u)) / 2, where u = sqrt(2 / pi) (x + 0.044715 x^3).
std::string gelu(const Operation& operation) {
  Emitter& to = operation.emitter;
  const std::string& x = operation.inputs[0];
  const auto square = to.add("Mul", {x, x});
  const auto scaled = to.add("Mul", {square, to.constant(0.044715)});
  const auto factor = to.add("Add", {scaled, to.constant(1)});
  const auto inner = to.add("Mul", {x, factor});
  const auto u = to.add("Mul", {inner, to.constant(std::sqrt(2 / std::numbers::pi))});
  const auto sum = to.add("Add", {to.add("Tanh", {u}), to.constant(1)});
  return to.add("Mul", {to.add("Mul", {x, to.constant(0.5)}), sum});
}

/// An operation of three nodes: x where the condition holds, else 0, the same where it does not, the sum.
std::string choice(const Operation& operation) {
  if (operation.part() == "either") return operation.add("Add", operation.inputs);
  Emitter& to = operation.emitter;
  const auto condition = cast(operation, operation.inputs[0], toBoolean);
  const auto zero = to.constant(0);
  if (operation.part() == "true") return to.add("Where", {condition, operation.inputs[1], zero});
  return to.add("Where", {condition, zero, operation.inputs[1]});
}

Writer withNumber(const char* name, const char* setting) {
  return [=](const Operation& operation) {
    return operation.add(name, operation.inputs,
                         {{"alpha", static_cast<float>(operation.setting<double>(setting))}});
  };
}

/// Up to opset 12, softmax runs over all axes from the given one on, so that the axis has to be the last.
Writer alongAxis(const char* name) {
  return [=](const Operation& operation) {
    const std::size_t rank = operation.operand(0).rank(), end = rank - 1;
    const auto axis = static_cast<std::size_t>(operation.axis(operation.setting<std::int64_t>("axis"), rank));
    const Attribute last{"axis", static_cast<std::int64_t>(end)};
    if (axis == end) return operation.add(name, operation.inputs, {last});
    const auto moved = operation.exchanged(operation.inputs[0], rank, axis, end);
    return operation.exchanged(operation.add(name, {moved}, {last}), rank, axis, end);
  };
}

void addFunctions(Writers& writers) {
  writers["silu"] = [](const Operation& operation) {
    return operation.add("Mul", {operation.inputs[0], operation.add("Sigmoid", operation.inputs)});
  };
  writers["expm1"] = [](const Operation& operation) {
    return operation.add("Sub", {operation.add("Exp", operation.inputs), operation.emitter.constant(1)});
  };
  writers["log1p"] = [](const Operation& operation) {
    const auto sum = operation.add("Add", {operation.inputs[0], operation.emitter.constant(1)});
    return operation.add("Log", {sum});
  };
  writers["dropout"] = [](const Operation& operation) {
    return operation.add(
        "Dropout", {operation.inputs[0], operation.emitter.constant(operation.setting<double>("rate"))});
  };
  writers["gelu"] = gelu;
  writers["where"] = choice;
  writers["elu"] = withNumber("Elu", "alpha");
  writers["leakyRelu"] = withNumber("LeakyRelu", "slope");
  writers["softmax"] = alongAxis("Softmax");
  writers["logSoftmax"] = alongAxis("LogSoftmax");
}

}  // namespace

void addArithmetic(Writers& writers) {
  constexpr std::pair<const char*, const char*> same[] = {
      {"abs", "Abs"},   {"cos", "Cos"},      {"sin", "Sin"},         {"exp", "Exp"},
      {"log", "Log"},   {"sqrt", "Sqrt"},    {"sign", "Sign"},       {"negate", "Neg"},
      {"relu", "Relu"}, {"tanh", "Tanh"},    {"sigmoid", "Sigmoid"}, {"softplus", "Softplus"},
      {"add", "Add"},   {"subtract", "Sub"}, {"multiply", "Mul"},    {"divide", "Div"},
      {"pow", "Pow"},   {"erf", "Erf"}};
  for (const auto& [ours, theirs] : same) writers[ours] = plain(theirs);
  writers["greater"] = comparison("Greater");
  writers["greaterEqual"] = comparison("GreaterOrEqual");
  writers["less"] = comparison("Less");
  writers["lessEqual"] = comparison("LessOrEqual");
  writers["equal"] = comparison("Equal");
  writers["notEqual"] = comparison("Equal", true);
  addFunctions(writers);
}

}  // namespace tapestry::onnx::exporting
