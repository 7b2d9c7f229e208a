// Defines readTensor, which reads a TensorProto.
#pragma once

#include "model/external_files.hpp"
#include "model/model.hpp"
#include "wire/reader.hpp"

namespace tapestry::onnx {

/// Fails, naming the tensor, unless it has as many values as its shape, of a type that Array holds.
Initializer readTensor(WireReader message, ExternalFiles& files);

}  // namespace tapestry::onnx
