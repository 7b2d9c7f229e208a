#include <tapestry/tensor/storage/plain_file.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

#include "model.hpp"
#include "read_tensor.hpp"
#include "wire/reader.hpp"

namespace tapestry::onnx {

namespace {

constexpr int deepest = 16;  // graphs within graphs

/// How many graphs a graph is within, and the files beside the model.
struct Within {
  int depth;
  ExternalFiles& files;
};

Graph readGraph(WireReader message, const Within& within);

/// The values of an attribute; its type (AttributeProto.AttributeType) tells which of them counts.
struct AttributeFields {
  std::optional<Attribute::Value> single;
  std::vector<float> floats;
  std::vector<std::int64_t> integers;
  std::vector<std::string> strings;
  std::int64_t type = 0;
};

void readAttributeField(WireReader& message, AttributeFields& fields, const Within& within) {
  switch (message.field()) {
    case 2:
      fields.single = message.number();
      return;
    case 3:
      fields.single = message.integer();
      return;
    case 4:
      fields.single = message.text();
      return;
    case 5:
      fields.single = readTensor(message.message("a tensor"), within.files).value;
      return;
    case 6:
      fields.single = std::make_shared<const Graph>(
          readGraph(message.message("a graph"), {within.depth + 1, within.files}));
      return;
    case 7:
      return message.addNumbers(fields.floats);
    case 8:
      return message.addIntegers(fields.integers);
    case 9:
      fields.strings.push_back(message.text());
      return;
    case 20:
      fields.type = message.integer();
      return;
    default:
      return;
  }
}

Attribute readAttribute(WireReader message, const Within& within) {
  Attribute attribute{};
  AttributeFields fields;
  while (message.next())
    if (message.field() == 1)
      attribute.name = message.text();
    else
      readAttributeField(message, fields, within);
  auto& [value, floats, integers, strings, type] = fields;
  if (type == 6) value = std::move(floats);
  if (type == 7) value = std::move(integers);
  if (type == 8) value = std::move(strings);
  // a value of 0 or an empty text may be left out of a message
  if (type == 1 && !value) value = 0.0F;
  if (type == 2 && !value) value = std::int64_t{0};
  if (type == 3 && !value) value = std::string();
  const std::string of = "attribute " + excerpt(attribute.name) + ": ";
  if (type < 1 || type > 8)
    message.fail(of + "unknown type, got " + std::to_string(type) +
                 ", expected a number, a text, a tensor, a graph, or a list of numbers or texts");
  if (!value || Attribute::typeOf(*value) != type)
    message.fail(of + "no value of its type, got " + (value ? "one of another type" : "none") +
                 ", expected one of type " + std::to_string(type));
  attribute.value = std::move(*value);
  return attribute;
}

Node readNode(WireReader message, const Within& within) {
  Node node;
  std::string domain;
  while (message.next()) switch (message.field()) {
      case 1:
        node.inputs.push_back(message.text());
        break;
      case 2:
        node.outputs.push_back(message.text());
        break;
      case 3:
        node.name = message.text();
        break;
      case 4:
        node.operation = message.text();
        break;
      case 5:
        node.attributes.push_back(readAttribute(message.message("an attribute"), within));
        break;
      case 7:
        domain = message.text();
        break;
      default:
        break;
    }
  if (!domain.empty() && domain != "ai.onnx") node.operation = domain + "." + node.operation;
  return node;
}

std::vector<Extent> readShape(WireReader message) {
  std::vector<Extent> shape;
  while (message.next()) {
    if (message.field() != 1) continue;
    Extent extent = std::string();
    for (WireReader dimension = message.message("an extent"); dimension.next();) {
      if (dimension.field() == 1) extent = dimension.integer();
      if (dimension.field() == 2) extent = dimension.text();
    }
    shape.push_back(std::move(extent));
  }
  return shape;
}

void readType(WireReader message, ValueInfo& info) {
  while (message.next()) {
    if (message.field() == 6) continue;  // a denotation: what the value means
    if (message.field() != 1)
      message.fail("value " + excerpt(info.name) + ": no tensor, got a value of another kind, expected one");
    for (WireReader tensor = message.message("the type of a tensor"); tensor.next();) {
      if (tensor.field() == 1) info.type = static_cast<ElementType>(tensor.integer());
      if (tensor.field() == 2) info.shape = readShape(tensor.message("a shape"));
    }
  }
}

ValueInfo readValueInfo(WireReader message) {
  ValueInfo info;
  std::optional<WireReader> type;
  while (message.next()) {
    if (message.field() == 1) info.name = message.text();
    if (message.field() == 2) type.emplace(message.message("a type"));
  }
  if (type) readType(*type, info);
  return info;
}

Graph readGraph(WireReader message, const Within& within) {
  if (within.depth > deepest)
    message.fail("too deep, got graphs within graphs within graphs, expected at most " +
                 std::to_string(deepest));
  Graph graph;
  while (message.next()) switch (message.field()) {
      case 1:
        graph.nodes.push_back(readNode(message.message("a node"), within));
        break;
      case 2:
        graph.name = message.text();
        break;
      case 5:
        graph.initializers.push_back(readTensor(message.message("an initializer"), within.files));
        break;
      case 11:
        graph.inputs.push_back(readValueInfo(message.message("an input")));
        break;
      case 12:
        graph.outputs.push_back(readValueInfo(message.message("an output")));
        break;
      case 15:
        message.fail("sparse tensors cannot be read, got one, expected dense tensors");
      default:
        break;
    }
  return graph;
}

/// The version of the operations of ONNX's own domain, or 0.
std::int64_t readOpset(WireReader message) {
  std::string domain;
  std::int64_t version = 0;
  while (message.next()) {
    if (message.field() == 1) domain = message.text();
    if (message.field() == 2) version = message.integer();
  }
  return domain.empty() || domain == "ai.onnx" ? version : 0;
}

std::vector<std::byte> contentOf(PlainFile& file) {
  std::vector<std::byte> content(static_cast<std::size_t>(file.size()));
  file.readAll(content);
  return content;
}

}  // namespace

Model readModel(const std::filesystem::path& path, const std::string& operation) {
  PlainFile file(path, operation);
  const auto content = contentOf(file);
  ExternalFiles files(path, operation);
  Model model{0, {}};
  bool hasGraph = false;
  for (WireReader message(file, "the model", content); message.next();) switch (message.field()) {
      case 7:
        model.graph = readGraph(message.message("the graph"), {0, files});
        hasGraph = true;
        break;
      case 8:
        model.opset = std::max(model.opset, readOpset(message.message("an opset")));
        break;
      case 25:
        message.fail("functions cannot be read, got one, expected operations of ONNX alone");
      default:
        break;
    }
  if (!hasGraph) file.fail("no ONNX model, got a message without a graph, expected one");
  if (model.opset < leastOpset || model.opset > greatestOpset)
    file.fail("another version of the operations, got opset " + std::to_string(model.opset) + ", expected " +
              std::to_string(leastOpset) + " to " + std::to_string(greatestOpset));
  return model;
}

}  // namespace tapestry::onnx
