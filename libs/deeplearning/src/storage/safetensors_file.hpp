// Defines writeSafetensors and readSafetensors, in the name of an operation.
#pragma once

#include <filesystem>
#include <string>

#include <tapestry/deeplearning/storage/named_arrays.hpp>

namespace tapestry {

void writeSafetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                      const std::string& operation);
NamedArrays readSafetensors(const std::filesystem::path& path, const std::string& operation);

}  // namespace tapestry
