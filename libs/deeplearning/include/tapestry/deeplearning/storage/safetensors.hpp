// Defines saveSafetensors and loadSafetensors, named arrays to and from a file in the safetensors format.
#pragma once

#include <filesystem>

#include "tapestry/deeplearning/storage/named_arrays.hpp"
#include "tapestry/tensor/storage/file_error.hpp"

namespace tapestry {

/// Writes F32, F64 and I64 (https://github.com/huggingface/safetensors, "Format"). The path has the arrays
/// when this returns; if it fails with FileError, or never returns, the path keeps its previous file. Throws
/// std::invalid_argument, before it writes, for a name that is not UTF-8 or is `__metadata__`. Blocks the
/// thread.
void saveSafetensors(const std::filesystem::path& path, const NamedArrays& arrays);

/// Throws FileError, before it takes memory for values, unless the header is as the format wants it and fits
/// the file: each name once, a known type, an extent of bytes that is that of the shape, and no byte of the
/// file that belongs to none or to two of them. Blocks the thread.
[[nodiscard]] NamedArrays loadSafetensors(const std::filesystem::path& path);

}  // namespace tapestry
