// Defines PictureNode, a node of a network as pictures show it, which outlives the node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tapestry/deeplearning/extend/graph.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

struct PictureNode {
  const void* id = nullptr;  ///< unique in its picture
  std::string name;
  extend::NodeKind kind = extend::NodeKind::operation;
  std::optional<Shape> shape;
  std::size_t elementBytes = 0;
  std::string value;     ///< the beginning of the value, if it is known
  std::string settings;  ///< the attributes, such as "axis -1"
  std::string place;     ///< of a program, such as "gate.cpp:41"
  std::optional<std::uint64_t> multiplications;
  std::vector<const void*> operands;  ///< of a program that has run: the layer that it has made
  std::vector<const void*> asked;     ///< of a program: the nodes whose tapes it has asked for
};

PictureNode pictureOf(const extend::NodeView& node);

/// "0.5" or "[0.5, 1, 2, ...]"; empty for no value.
std::string valueText(const extend::NodeValue& value);

/// The nodes of a layer as it is built, operands first.
std::vector<PictureNode> pictureOf(const extend::Graph& graph);

}  // namespace tapestry::detail
#pragma GCC visibility pop
