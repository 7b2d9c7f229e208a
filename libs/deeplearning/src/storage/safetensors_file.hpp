// Defines writeSafetensors, readSafetensors and readMetadata, whose errors name a given operation, and
// SafetensorsHeader, the content of the header of such a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tapestry/deeplearning/storage/named_arrays.hpp>

#include "tapestry/tensor/storage/plain_file.hpp"

namespace tapestry {

void writeSafetensors(const std::filesystem::path& path, const NamedArrays& arrays,
                      const std::string& operation);
NamedArrays readSafetensors(const std::filesystem::path& path, const std::string& operation);
/// Reads the header alone.
Notes readMetadata(const std::filesystem::path& path, const std::string& operation);

struct SafetensorsHeader {
  struct Entry {
    std::string name;
    std::string type;
    std::vector<std::size_t> shape;
    std::uint64_t begin;  ///< of its bytes, counted from the header's end
    std::uint64_t end;
  };

  std::vector<Entry> entries;
  Notes metadata;
};

/// Checks the form of the header, but not its claims.
SafetensorsHeader parseSafetensorsHeader(const PlainFile& file, std::string_view text);

/// Throws std::invalid_argument for a text that is not UTF-8.
std::string formatSafetensorsHeader(const SafetensorsHeader& header, const std::string& operation);

}  // namespace tapestry
