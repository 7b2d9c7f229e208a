// Defines ExternalFiles, the files beside a model that have the values of its large tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tapestry::onnx {

/// Where the values of a tensor are (TensorProto.external_data).
struct ExternalValues {
  std::string location;
  std::uint64_t offset = 0;
};

/// Every failure throws FileError, which names the operation.
class ExternalFiles {
 public:
  ExternalFiles(std::filesystem::path model, std::string operation)
      : model_(std::move(model)), operation_(std::move(operation)) {}

  /// Reads `count` bytes of a file in the folder of the model, or below it. Fails for a file outside that
  /// folder, for a file that ends before these bytes, and if all reads together exceed the size of the file,
  /// so that memory is allocated only for existing bytes.
  std::vector<std::byte> read(const ExternalValues& values, std::uint64_t count);

 private:
  std::filesystem::path pathOf(const std::string& location) const;

  std::filesystem::path model_;
  std::string operation_;
  std::map<std::filesystem::path, std::uint64_t> read_;  ///< the number of bytes
};

}  // namespace tapestry::onnx
