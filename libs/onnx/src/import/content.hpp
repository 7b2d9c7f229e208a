// Defines OnnxNetwork::Content, the graph of a file with its weights, which makes layers, and
// shapesOfOutputs.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tapestry/onnx/import_onnx.hpp>

#include "call.hpp"
#include "uses.hpp"

namespace tapestry {

class OnnxNetwork::Content {
 public:
  /// Throws FileError, which names the path, for a model that makes no network.
  Content(const std::filesystem::path& path, onnx::Model model);

  std::vector<OnnxInput> inputs;
  std::vector<std::string> outputs;
  std::vector<Weights::Named> weights;

  /// `choices`, where they are noted, may be null. The values are of the kinds of the inputs.
  std::vector<TensorLayer> build(const std::vector<OnnxValue>& given,
                                 std::vector<OnnxChoice>* choices = nullptr) const;

 private:
  [[noreturn]] void fail(const std::string& problem) const;
  void addInitializers();
  void addInitializer(onnx::Initializer& initializer, const onnx::Uses& uses);
  void addInput(const onnx::ValueInfo& info);
  /// Fails for the operations that are not known, all in one message.
  void requireKnown(const onnx::Graph& graph) const;
  /// Builds the network once on inputs of unknown shapes, to find the faults that do not depend on shapes.
  void tryOut() const;
  /// While the file is read, what operations refuse is a fault of the file.
  std::vector<onnx::Value> resultsOf(const onnx::Call& call, const std::string& operation) const;
  std::vector<TensorLayer> outputsOf(const onnx::Graph& graph, onnx::Values values,
                                     std::vector<OnnxChoice>* choices) const;
  TensorLayer layerOf(const onnx::Values& values, const std::string& name) const;

  onnx::Origin origin_;
  onnx::Graph graph_;
  onnx::Values initial_;
  bool imported_ = false;
};

namespace onnx {

/// The shapes that a model computes from inputs of these shapes; none where only a pass knows the shape. With
/// `evaluates`, a pass on zeros is run for these. Throws the error of an operation that does not fit. Without
/// a pass, takes no memory for values.
std::vector<std::optional<Shape>> shapesOfOutputs(const Model& model, const std::vector<Shape>& inputs,
                                                  bool evaluates);

}  // namespace onnx

}  // namespace tapestry
