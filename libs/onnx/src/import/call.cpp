#include "call.hpp"

#include <algorithm>
#include <iterator>

#include <tapestry/tensor/storage/file_error.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

namespace tapestry::onnx {

Tensor<float> numbersOf(const Integers& whole) {
  auto tensor = Tensor<float>::uninitialized(whole.shape);
  std::ranges::transform(whole.values, tensor.exclusiveData(),
                         [](std::int64_t number) { return static_cast<float>(number); });
  return tensor;
}

TensorLayer Call::layer(std::size_t input) const {
  const Value& found = any(input);
  if (const auto* layer = std::get_if<TensorLayer>(&found)) return *layer;
  if (std::holds_alternative<RunningAverage<Tensor<float>>>(found))
    fail("input " + std::to_string(input) + ": a running average of a BatchNormalization, expected a value");
  return constant(input);
}

Tensor<float> Call::constant(std::size_t input) const {
  const Value& found = any(input);
  if (const auto* tensor = std::get_if<Tensor<float>>(&found)) return *tensor;
  if (const auto* whole = std::get_if<Integers>(&found)) return numbersOf(*whole);
  fail("input " + std::to_string(input) + ": got a value that a pass computes, expected a constant");
}

const Integers& Call::integers(std::size_t input) const {
  if (const auto* whole = std::get_if<Integers>(&any(input))) return *whole;
  fail("input " + std::to_string(input) +
       ": got numbers, expected whole numbers that are known when the network is built");
}

RunningAverage<Tensor<float>> Call::average(std::size_t input) const {
  const Value& found = any(input);
  if (const auto* average = std::get_if<RunningAverage<Tensor<float>>>(&found)) return *average;
  if (const auto* tensor = std::get_if<Tensor<float>>(&found)) return RunningAverage<Tensor<float>>(*tensor);
  fail("input " + std::to_string(input) +
       ": got a value that is computed, expected an initializer or a constant");
}

bool Call::anyPending() const {
  for (std::size_t i = 0; i < inputs(); ++i)
    if (has(i) && std::holds_alternative<Pending>(any(i))) return true;
  return false;
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
  const bool byOutput = node_.name.empty() && !node_.outputs.empty();
  return {origin_.path,
          "node " + excerpt(byOutput ? node_.outputs.front() : node_.name) + " (" + node_.operation + ")"};
}

void Place::fail(const std::string& problem) const {
  throw FileError("importOnnx", path_, node_ + ": " + problem);
}

const Value& Call::any(std::size_t input) const {
  if (!has(input)) fail("input " + std::to_string(input) + " is missing, got none, expected one");
  const auto found = values_.find(node_.inputs[input]);
  if (found == values_.end())
    fail("input " + std::to_string(input) + " is unknown, got " + excerpt(node_.inputs[input]) +
         ", expected an input, an initializer, or an output of a node before");
  if (std::holds_alternative<NotComputed>(found->second))
    fail("input " + std::to_string(input) + " is not computed, got " + excerpt(node_.inputs[input]) +
         ", a further output of a node before, expected one that the library has");
  return found->second;
}

const Attribute::Value* Call::find(std::string_view name) const {
  const auto found = std::ranges::find(node_.attributes, name, &Attribute::name);
  return found == node_.attributes.end() ? nullptr : &found->value;
}

void Call::failOfType(std::string_view name, const Attribute::Value& found,
                      const Attribute::Value& expected) const {
  static constexpr const char* kinds[] = {"FLOAT", "INT",    "STRING", "TENSOR",
                                          "GRAPH", "FLOATS", "INTS",   "STRINGS"};
  static_assert(std::size(kinds) == std::variant_size_v<Attribute::Value>);
  fail("attribute " + std::string(name) + " is of another type, got " + kinds[found.index()] + ", expected " +
       kinds[expected.index()]);
}

}  // namespace tapestry::onnx
