#include <tapestry/tensor/storage/atomic_file.hpp>
#include <tapestry/version.hpp>

#include "model.hpp"
#include "wire/writer.hpp"

namespace tapestry::onnx {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

WireWriter written(const Graph& graph);

std::string_view bytesOf(const auto& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

WireWriter written(const std::string& name, const Array& array) {
  WireWriter message;
  const Shape& shape = std::visit(Overloaded{[](const Tensor<float>& x) -> const Shape& { return x.shape(); },
                                             [](const Integers& x) -> const Shape& { return x.shape; }},
                                  array);
  for (const std::size_t extent : shape) message.integer(1, static_cast<std::int64_t>(extent));
  const auto* floats = std::get_if<Tensor<float>>(&array);
  message.integer(2, static_cast<std::int64_t>(floats ? ElementType::floats : ElementType::int64));
  message.bytes(8, name);
  message.bytes(9, floats ? bytesOf(floats->values()) : bytesOf(std::get<Integers>(array).values));
  return message;
}

WireWriter written(const Attribute& attribute) {
  WireWriter message;
  message.bytes(1, attribute.name);
  // the types are numbered from 1 in this order, except that tensors and graphs have lists of their own
  constexpr std::int64_t types[] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::visit(
      Overloaded{[&](float value) { message.number(2, value); },
                 [&](std::int64_t value) { message.integer(3, value); },
                 [&](const std::string& value) { message.bytes(4, value); },
                 [&](const Array& value) { message.message(5, written("", value)); },
                 [&](const std::shared_ptr<const Graph>& value) { message.message(6, written(*value)); },
                 [&](const std::vector<float>& values) {
                   for (const float value : values) message.number(7, value);
                 },
                 [&](const std::vector<std::int64_t>& values) {
                   for (const auto value : values) message.integer(8, value);
                 },
                 [&](const std::vector<std::string>& values) {
                   for (const auto& value : values) message.bytes(9, value);
                 }},
      attribute.value);
  message.integer(20, types[attribute.value.index()]);
  return message;
}

WireWriter written(const Node& node) {
  WireWriter message;
  for (const auto& input : node.inputs) message.bytes(1, input);
  for (const auto& output : node.outputs) message.bytes(2, output);
  message.bytes(3, node.name);
  message.bytes(4, node.operation);
  for (const auto& attribute : node.attributes) message.message(5, written(attribute));
  return message;
}

WireWriter written(const ValueInfo& info) {
  WireWriter tensor;
  tensor.integer(1, static_cast<std::int64_t>(info.type));
  if (info.shape) {
    WireWriter shape;
    for (const Extent& extent : *info.shape) {
      WireWriter dimension;
      if (const auto* number = std::get_if<std::int64_t>(&extent))
        dimension.integer(1, *number);
      else
        dimension.bytes(2, std::get<std::string>(extent));
      shape.message(1, dimension);
    }
    tensor.message(2, shape);
  }
  WireWriter type;
  type.message(1, tensor);
  WireWriter message;
  message.bytes(1, info.name);
  message.message(2, type);
  return message;
}

WireWriter written(const Graph& graph) {
  WireWriter message;
  for (const auto& node : graph.nodes) message.message(1, written(node));
  message.bytes(2, graph.name);
  for (const auto& initializer : graph.initializers)
    message.message(5, written(initializer.name, initializer.value));
  for (const auto& input : graph.inputs) message.message(11, written(input));
  for (const auto& output : graph.outputs) message.message(12, written(output));
  return message;
}

}  // namespace

void writeModel(const std::filesystem::path& path, const Model& model, const std::string& operation) {
  constexpr std::int64_t irVersion = 7;  // the least with opset 12
  WireWriter opset;
  opset.bytes(1, "");
  opset.integer(2, model.opset);
  WireWriter message;
  message.integer(1, irVersion);
  message.bytes(2, "tapestry");
  message.bytes(3, TAPESTRY_VERSION_TEXT);
  message.message(7, written(model.graph));
  message.message(8, opset);
  AtomicFile file(path, operation);
  file.write(std::as_bytes(std::span(message.written())));
  file.commit();
}

}  // namespace tapestry::onnx
