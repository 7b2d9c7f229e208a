// Defines writeSafetensors, readSafetensors and readMetadata, whose errors name a given operation.
#pragma once

#include <filesystem>
#include <string>

#include <tapestry/deeplearning/storage/named_arrays.hpp>

namespace tapestry {

void writeSafetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                      const std::string& operation);
NamedArrays readSafetensors(const std::filesystem::path& path, const std::string& operation);
/// Reads the header alone.
Notes readMetadata(const std::filesystem::path& path, const std::string& operation);

}  // namespace tapestry
