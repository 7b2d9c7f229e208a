// Defines what a file says of a network's inputs and outputs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emitter.hpp"

namespace tapestry::onnx::exporting {

/// Throws std::invalid_argument.
[[noreturn]] void refuse(const std::string& problem);

/// Refuses a data file that is not another file in the folder of the model.
void requireDataFile(const std::string& name, const std::filesystem::path& model);

/// The shape that the layer or the Indices of an input have.
Shape shapeOf(const OnnxArgument& input);

/// A value of numbers.
ValueInfo infoOf(const std::string& name, const Shape& shape);

/// Whether the first extent of the input is that of the batch, which may have any size.
bool isOfBatch(const OnnxArgument& input, const std::vector<OnnxArgument>& inputs,
               const OnnxExportOptions& options);

/// Names the extents of outputs that change with the batch. Refuses a network that does not fit another size.
void nameBatch(Model& model, const std::vector<OnnxArgument>& inputs, const OnnxExportOptions& options);

/// Refuses a name of an input or an output that is empty or that something else has.
void requireNames(const Graph& graph);

/// Names the values of nodes as the outputs are named, instead of the last nodes, which are Identity, as far
/// as the values serve nothing else.
void joinIdentities(Graph& graph, std::size_t outputs);

/// Parts of nodes that have been joined leave constants that nothing uses.
void dropUnusedConstants(Graph& graph);

}  // namespace tapestry::onnx::exporting
