#include "emitter.hpp"

namespace tapestry::onnx::exporting {

namespace {

/// The chosen axes, counted from the first; none for all.
List axesOf(const Operation& operation) {
  List axes;
  for (const auto& [key, value] : operation.details.attributes)
    if (const auto* listed = std::get_if<List>(&value); listed && key == "axes") {
      if (listed->empty()) operation.fail("has an empty list of axes, expected some or all axes");
      for (const auto axis : *listed) axes.push_back(operation.axis(axis, operation.operand(0).rank()));
    }
  return axes;
}

std::string reduced(const Operation& operation, const std::string& name, const std::string& x, List axes,
                    bool keepDims) {
  const Attribute keeps{"keepdims", std::int64_t{keepDims}};
  if (axes.empty()) return operation.add(name, {x}, {keeps});
  return operation.add(name, {x}, {keeps, {"axes", std::move(axes)}});
}

/// The sum or mean of a range of layers, scaled.
std::string ofRange(const Operation& operation) {
  const auto sum = operation.add("Sum", operation.inputs);
  const auto factor = operation.setting<double>("factor");
  return factor == 1 ? sum : operation.add("Mul", {sum, operation.emitter.constant(factor)});
}

/// A reduction along axes, of all elements, or of two operands or a range of them.
Writer reduction(const char* along, const char* elementwise) {
  return [=](const Operation& operation) {
    if (operation.has("factor")) return ofRange(operation);
    if (operation.inputs.size() == 2) return operation.add(elementwise, operation.inputs);
    const bool keepDims = operation.has("keepDims") && operation.setting<bool>("keepDims");
    return reduced(operation, along, operation.inputs[0], axesOf(operation), keepDims);
  };
}

/// (x - mean) / sqrt(variance + epsilon) in the operations of opset 12.
std::string standardized(const Operation& operation) {
  const std::string& x = operation.inputs[0];
  const List axes = axesOf(operation);
  const auto mean = reduced(operation, "ReduceMean", x, axes, true);
  const auto distance = operation.add("Sub", {x, mean});
  const auto square = operation.add("Mul", {distance, distance});
  const auto variance = reduced(operation, "ReduceMean", square, axes, true);
  const auto epsilon = operation.emitter.constant(operation.setting<double>("epsilon"));
  const auto deviation = operation.add("Sqrt", {operation.add("Add", {variance, epsilon})});
  return operation.add("Div", {distance, deviation});
}

}  // namespace

void addReductions(Writers& writers) {
  writers["sum"] = reduction("ReduceSum", "");
  writers["mean"] = reduction("ReduceMean", "");
  writers["max"] = reduction("ReduceMax", "Max");
  writers["min"] = reduction("ReduceMin", "Min");
  writers["norm"] = reduction("ReduceL2", "");
  writers["logSumExp"] = reduction("ReduceLogSumExp", "");
  writers["layerNorm"] = standardized;
}

}  // namespace tapestry::onnx::exporting
