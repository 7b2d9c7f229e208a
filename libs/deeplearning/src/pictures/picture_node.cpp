#include "tapestry/deeplearning/pictures/pass_record.hpp"

#include <concepts>
#include <span>
#include <string_view>

#include "table_text.hpp"

namespace tapestry::detail {

namespace {

constexpr std::size_t shownElements = 4;

std::string shortText(double value) { return numberText(value, 4, std::chars_format::general); }

template <class T, class F>
std::string listText(std::span<const T> values, const F& textOfOne) {
  std::string text = "[";
  for (std::size_t i = 0; i < values.size() && i < shownElements; ++i)
    text += (i == 0 ? "" : ", ") + textOfOne(values[i]);
  return text + (values.size() > shownElements ? ", ...]" : "]");
}

struct AttributeText {
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return shortText(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    return listText(std::span(values), [](std::int64_t value) { return std::to_string(value); });
  }
  std::string operator()(const Indices& indices) const { return toString(indices.shape()); }
  template <class T>
  std::string operator()(const Tensor<T>& tensor) const {
    return toString(tensor.shape());
  }
};

std::string settingsOf(const extend::Attributes& attributes) {
  std::string text;
  for (const auto& [name, value] : attributes)
    text += (text.empty() ? "" : ", ") + name + ' ' + std::visit(AttributeText(), value);
  return text;
}

std::string placeOf(const std::source_location& place) {
  if (place.line() == 0) return {};
  const std::string_view path = place.file_name();
  return std::string(path.substr(path.rfind('/') + 1)) + ':' + std::to_string(place.line());
}

/// "0.5" or "[0.5, 1, 2, ...]"; empty for no value.
struct ValueText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(std::floating_point auto value) const { return shortText(value); }
  template <class T>
  std::string operator()(const Tensor<T>& tensor) const {
    return listText(tensor.values(), shortText);
  }
};

}  // namespace

PictureNode pictureOf(const extend::NodeView& node) {
  const extend::NodeDetails details = node.details();
  PictureNode picture{.id = node.id(),
                      .name = std::string(node.name()),
                      .kind = details.kind,
                      .shape = details.shape,
                      .elementBytes = details.elementBytes,
                      .value = std::visit(ValueText(), details.value),
                      .settings = settingsOf(details.attributes),
                      .place = placeOf(details.place),
                      .multiplications = details.multiplications,
                      .operands = {},
                      .asked = {}};
  for (const extend::NodeView& operand : node.operands()) picture.operands.push_back(operand.id());
  return picture;
}

std::vector<PictureNode> pictureOf(const extend::Graph& graph) {
  std::vector<PictureNode> nodes;
  nodes.reserve(graph.size());
  for (const extend::NodeView& node : graph) nodes.push_back(pictureOf(node));
  return nodes;
}

}  // namespace tapestry::detail
