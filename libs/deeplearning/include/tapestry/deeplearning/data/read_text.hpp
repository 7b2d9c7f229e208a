// Defines readText, which reads a file of text.
#pragma once

#include <filesystem>
#include <string>

#include "tapestry/tensor/storage/file_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Returns the bytes of a file, plain or gzipped, without a byte order mark of UTF-8. Throws FileError if it
/// is missing or is a corrupt gzip stream. Blocks the thread.
[[nodiscard]] std::string readText(const std::filesystem::path& path);

}  // namespace tapestry
#pragma GCC visibility pop
