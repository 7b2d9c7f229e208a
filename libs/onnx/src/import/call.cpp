#include "call.hpp"

#include <algorithm>

#include <tapestry/tensor/storage/file_error.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

namespace tapestry::onnx {

TensorLayer Call::layer(std::size_t input) const {
  const Value& found = value(input);
  if (const auto* layer = std::get_if<TensorLayer>(&found)) return *layer;
  if (std::holds_alternative<RunningAverage<Tensor<float>>>(found))
    fail("input " + std::to_string(input) + ": a running average of a BatchNormalization, expected a value");
  return constant(input);
}

Tensor<float> Call::constant(std::size_t input) const {
  const Value& found = value(input);
  if (const auto* tensor = std::get_if<Tensor<float>>(&found)) return *tensor;
  if (const auto* whole = std::get_if<Integers>(&found)) {
    auto tensor = Tensor<float>::uninitialized(whole->shape);
    std::ranges::transform(whole->values, tensor.exclusiveData(),
                           [](std::int64_t number) { return static_cast<float>(number); });
    return tensor;
  }
  fail("input " + std::to_string(input) + ": got a value that a pass computes, expected a constant");
}

const Integers& Call::integers(std::size_t input) const {
  if (const auto* whole = std::get_if<Integers>(&value(input))) return *whole;
  fail("input " + std::to_string(input) +
       ": got numbers, expected whole numbers that are known when the network is built");
}

const RunningAverage<Tensor<float>>& Call::average(std::size_t input) const {
  if (const auto* average = std::get_if<RunningAverage<Tensor<float>>>(&value(input))) return *average;
  fail("input " + std::to_string(input) + ": got a value that is computed, expected an initializer");
}

std::optional<std::vector<std::int64_t>> Call::integersOf(std::string_view name, std::size_t input) const {
  if (hasAttribute(name)) return attribute<std::vector<std::int64_t>>(name);
  if (has(input)) return integers(input).values;
  return std::nullopt;
}

std::vector<TensorLayer> Call::branch(std::string_view name) const {
  const auto graph = attribute<std::shared_ptr<const Graph>>(name);
  auto outputs = buildBranch_(*graph);
  if (outputs.size() != node_.outputs.size())
    fail(std::string(name) + ": another number of outputs, got " + std::to_string(outputs.size()) +
         ", expected " + std::to_string(node_.outputs.size()));
  return outputs;
}

Place Call::place() const {
  return {origin_.path, "node " + excerpt(node_.name) + " (" + node_.operation + ")"};
}

void Place::fail(const std::string& problem) const {
  throw FileError("importOnnx", path_, node_ + ": " + problem);
}

const Value& Call::value(std::size_t input) const {
  if (!has(input)) fail("input " + std::to_string(input) + " is missing, got none, expected one");
  const auto found = values_.find(node_.inputs[input]);
  if (found == values_.end())
    fail("input " + std::to_string(input) + " is unknown, got " + excerpt(node_.inputs[input]) +
         ", expected an input, an initializer, or an output of a node before");
  return found->second;
}

const Attribute::Value* Call::find(std::string_view name) const {
  const auto found = std::ranges::find(node_.attributes, name, &Attribute::name);
  return found == node_.attributes.end() ? nullptr : &found->value;
}

}  // namespace tapestry::onnx
