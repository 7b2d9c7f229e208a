#include "emitter.hpp"

namespace tapestry::onnx::exporting {

namespace {

/// near * (distance - near / 2), where near is the distance, at most the width.
std::string huberLoss(const Operation& operation) {
  const auto difference = operation.add("Sub", {operation.inputs[0], operation.inputs[1]});
  const auto distance = operation.add("Abs", {difference});
  const auto near = operation.add("Min", {distance, operation.inputs[2]});
  const auto half = operation.add("Mul", {near, operation.emitter.constant(0.5)});
  return operation.add("Mul", {near, operation.add("Sub", {distance, half})});
}

/// The labels are a setting of the file's network.
std::string softmaxLoss(const Operation& operation) {
  Emitter& emitter = operation.emitter;
  const Shape& logits = operation.operand(0);
  const auto labels = operation.setting<Indices>("labels");
  if (emitter.anyBatch())
    operation.fail("has a label for each row, got a batch of any size, expected an export without batch");
  std::string rows = operation.inputs[0];
  if (logits.rank() == 1)
    rows = emitter.add("Reshape", {rows, emitter.integers(List{1, static_cast<std::int64_t>(logits[0])})});
  return emitter.add("SoftmaxCrossEntropyLoss", {rows, emitter.integers(labels)},
                     {{"reduction", std::string("mean")}});
}

}  // namespace

void addLosses(Writers& writers) {
  writers["huber"] = huberLoss;
  writers["softmaxCrossEntropy"] = softmaxLoss;
}

}  // namespace tapestry::onnx::exporting
