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

/// Drops the Identity nodes of the outputs, which are the last nodes, where nothing else uses their operands:
/// the nodes of these operands then have the names of the outputs.
void joinIdentities(Graph& graph, std::size_t outputs);

/// Drops the constants that no node uses, such as those of nodes that were joined with others.
void dropUnusedConstants(Graph& graph);

}  // namespace tapestry::onnx::exporting
