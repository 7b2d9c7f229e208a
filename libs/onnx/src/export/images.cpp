#include "emitter.hpp"

namespace tapestry::onnx::exporting {

namespace {

/// Padding before and after, for the height and the width.
List padsOf(const Operation& operation) {
  const auto padding = operation.setting<List>("padding");
  return {padding[0], padding[1], padding[0], padding[1]};
}

/// Values per channel in a shape that broadcasts to [N, C, ...].
std::string perChannel(const Operation& operation, const std::string& values) {
  List axes;
  for (std::size_t axis = 1; axis + 1 < operation.operand(0).rank(); ++axis)
    axes.push_back(static_cast<std::int64_t>(axis));
  if (axes.empty()) return values;
  return operation.add("Unsqueeze", {values}, {{"axes", axes}});
}

/// A convolution, or its bias, which becomes the convolution's third input.
std::string conv2d(const Operation& operation) {
  if (operation.part() == "shift") {
    Node* const convolution = operation.emitter.lastOf("Conv", operation.inputs[0]);
    if (convolution && convolution->inputs.size() == 2 && operation.aloneUser[0] &&
        operation.emitter.isInitializer(operation.inputs[1])) {
      convolution->inputs.push_back(operation.inputs[1]);
      return operation.inputs[0];
    }
    return operation.add("Add", {operation.inputs[0], perChannel(operation, operation.inputs[1])});
  }
  const Shape& w = operation.operand(1);
  return operation.add(
      "Conv", operation.inputs,
      {{"kernel_shape", List{static_cast<std::int64_t>(w[2]), static_cast<std::int64_t>(w[3])}},
       {"strides", operation.setting<List>("stride")},
       {"pads", padsOf(operation)},
       {"dilations", operation.setting<List>("dilation")},
       {"group", operation.setting<std::int64_t>("groups")}});
}

/// Windows over [N, C, H, W]; planes of other ranks are brought there and back.
std::string pooled(const Operation& operation, const char* name, bool countsPadding) {
  Emitter& emitter = operation.emitter;
  const Shape& from = operation.operand(0);
  const std::size_t rank = from.rank();
  const auto extent = [](const Shape& shape, std::size_t axis) {
    return static_cast<std::int64_t>(shape[axis]);
  };
  std::string x = operation.inputs[0];
  if (rank != 4)
    x = emitter.add("Reshape",
                    {x, emitter.integers(List{-1, 1, extent(from, rank - 2), extent(from, rank - 1)})});
  List pads = padsOf(operation);
  if (countsPadding && pads != List{0, 0, 0, 0}) {  // not by count_include_pad, which OpenCV 4.6 ignores
    x = emitter.add("Pad", {x, emitter.integers(List{0, 0, pads[0], pads[1], 0, 0, pads[2], pads[3]}),
                            emitter.constant(0.0)});
    pads = {0, 0, 0, 0};
  }
  std::vector<Attribute> attributes{{"kernel_shape", operation.setting<List>("window")},
                                    {"strides", operation.setting<List>("stride")},
                                    {"pads", pads}};
  const auto y = emitter.add(name, {x}, std::move(attributes));
  if (rank == 4) return y;
  List back = emitter.reshaped(from, operation.shape());
  if (back[0] == 0) back[0] = -1;  // y has another first axis, whose extent ONNX would keep
  return emitter.add("Reshape", {y, emitter.integers(back)});
}

/// Standardization with running statistics, then a gain and a bias, which become inputs of the same node.
std::string batchNorm(const Operation& operation) {
  Emitter& emitter = operation.emitter;
  if (operation.part() == "standardize") {
    const auto& mean = operation.setting<Tensor<float>>("mean");
    const auto& variance = operation.setting<Tensor<float>>("variance");
    const auto number = std::to_string(emitter.nodes().size());
    return operation.add(
        "BatchNormalization",
        {operation.inputs[0], emitter.constant(Tensor<float>::full(mean.shape(), 1)),
         emitter.constant(Tensor<float>::zeros(mean.shape())), emitter.statistics(mean, "mean" + number),
         emitter.statistics(variance, "variance" + number)},
        {{"epsilon", static_cast<float>(operation.setting<double>("epsilon"))},
         {"momentum", static_cast<float>(1 - operation.setting<double>("momentum"))}});  // as ONNX has it
  }
  const bool scales = operation.part() == "scale";
  Node* const node = emitter.lastOf("BatchNormalization", operation.inputs[0]);
  if (node && operation.aloneUser[0] && emitter.isInitializer(operation.inputs[1])) {
    node->inputs[scales ? 1 : 2] = operation.inputs[1];
    return operation.inputs[0];
  }
  return operation.add(scales ? "Mul" : "Add",
                       {operation.inputs[0], perChannel(operation, operation.inputs[1])});
}

}  // namespace

void addImages(Writers& writers) {
  writers["conv2d"] = conv2d;
  writers["maxPool2d"] = [](const Operation& operation) { return pooled(operation, "MaxPool", false); };
  writers["avgPool2d"] = [](const Operation& operation) { return pooled(operation, "AveragePool", true); };
  writers["batchNorm"] = batchNorm;
}

}  // namespace tapestry::onnx::exporting
