// Defines Emitter, which makes the nodes of an ONNX graph, and Operation, a node of a network to be written.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapestry/deeplearning/extend/graph.hpp>
#include <tapestry/onnx/export_onnx.hpp>

#include "model/model.hpp"

namespace tapestry::onnx::exporting {

using List = std::vector<std::int64_t>;

class Emitter {
 public:
  Emitter(const std::vector<OnnxArgument>& inputs, const OnnxExportOptions& options);

  /// Adds a node, and returns the name of its only output.
  std::string add(std::string_view operation, std::vector<std::string> inputs,
                  std::vector<Attribute> attributes = {});
  /// Numbers that are no weights.
  std::string constant(const Tensor<float>& value);
  std::string constant(double value) { return constant(Tensor<float>::scalar(static_cast<float>(value))); }
  /// Whole numbers that set an operation.
  std::string integers(const List& values);
  std::string integers(const Indices& values);
  /// A weight, which is written once and known in all branches.
  std::string weight(extend::NodeView node, const Tensor<float>& value);
  /// Running statistics, with the name `otherwise` if no weight of the model has this value.
  std::string statistics(const Tensor<float>& value, const std::string& otherwise);

  /// The node with this first output in the graph that is being written, if it is of the operation; else
  /// null.
  Node* lastOf(std::string_view operation, const std::string& output);
  bool isInitializer(const std::string& name) const { return initializers_.contains(name); }

  /// The extents of a shape to reshape to: the batch, which has any size, is kept. Throws
  /// std::invalid_argument for an extent of 0, by which ONNX means the extent of `from`, unless it is 0, too.
  List reshaped(const Shape& from, const Shape& to) const;
  bool anyBatch() const noexcept { return !options_.batch.empty(); }
  const std::vector<OnnxArgument>& arguments() const noexcept { return arguments_; }
  /// Marks an input of Indices as used.
  void use(const std::string& argument) { used_.insert(argument); }
  const std::set<std::string>& used() const noexcept { return used_; }

  Graph graph;
  /// The nodes of the graph that is being written: a branch's, or those of `graph`.
  std::vector<Node>& nodes() noexcept { return branch_ ? branch_->nodes : graph.nodes; }
  /// Makes further nodes those of this branch, or of `graph` for null; returns the branch before.
  Graph* enter(Graph* branch) noexcept { return std::exchange(branch_, branch); }
  /// A name for a value of the emitter's own.
  std::string valueName() { return unused("value" + std::to_string(values_++)); }

 private:
  std::string initializer(std::string name, Array value);
  std::string unused(const std::string& name) const;

  const std::vector<OnnxArgument>& arguments_;
  const OnnxExportOptions& options_;
  Graph* branch_ = nullptr;
  std::set<std::string> initializers_;
  std::map<const void*, std::string> weightNames_;  ///< of the nodes of weights
  std::set<std::string> used_;
  std::size_t values_ = 0;
  std::size_t nodeNumber_ = 0;
};

/// A node of the network, the names of its operands, and where to write it.
struct Operation {
  Emitter& emitter;
  std::string name;
  extend::NodeDetails details;
  std::vector<std::string> inputs;
  std::vector<bool> aloneUser;  ///< whether this node is the only user of the operand

  std::string add(std::string_view operation, std::vector<std::string> own,
                  std::vector<Attribute> attributes = {}) const {
    return emitter.add(operation, std::move(own), std::move(attributes));
  }
  /// Adds a node that exchanges two axes of a value of this rank.
  std::string exchanged(const std::string& x, std::size_t rank, std::size_t one, std::size_t other) const;
  /// A setting of the operation; std::get fails if the operation has none of that type.
  template <class T>
  T setting(std::string_view key) const {
    for (const auto& [own, value] : details.attributes)
      if (own == key) return std::get<T>(value);
    fail("has no setting " + std::string(key));
  }
  bool has(std::string_view key) const;
  /// What distinguishes operations of one name.
  std::string part() const { return has("part") ? setting<std::string>("part") : std::string(); }

  /// The shape of an operand and of the result.
  const Shape& operand(std::size_t index) const;
  const Shape& shape() const;
  /// The axis, counted from the first.
  std::int64_t axis(std::int64_t axis, std::size_t rank) const;

  /// Throws std::invalid_argument.
  [[noreturn]] void fail(const std::string& problem) const;
};

/// Writes an operation; returns the name of its result.
using Writer = std::function<std::string(const Operation&)>;
using Writers = std::map<std::string, Writer, std::less<>>;

// The operations that can be written, by family.
void addArithmetic(Writers& writers);
void addReductions(Writers& writers);
void addLayouts(Writers& writers);
void addLosses(Writers& writers);
void addProducts(Writers& writers);
void addImages(Writers& writers);

}  // namespace tapestry::onnx::exporting
