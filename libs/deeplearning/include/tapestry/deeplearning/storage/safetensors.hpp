// Defines saveSafetensors and loadSafetensors, which write and read named arrays in the safetensors format.
#pragma once

#include <filesystem>

#include "tapestry/deeplearning/storage/named_arrays.hpp"
#include "tapestry/tensor/storage/file_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Writes F32, F64 and I64 (https://github.com/huggingface/safetensors, "Format"). When this returns, the
/// file at the path holds the arrays; if it throws FileError before the file has its name, or never returns,
/// the path keeps its previous file. Throws std::invalid_argument, before it writes, for a name that is not
/// UTF-8 or is `__metadata__`, and for integers whose number differs from their shape's size. Blocks the
/// thread.
void saveSafetensors(const std::filesystem::path& path, const NamedArrays& arrays);

/// Reads these types, and F16 and BF16 as float, without loss. Throws FileError, before it allocates memory
/// for values, unless the header conforms to the format and fits the file: each name is unique, each type is
/// known, each array has as many bytes as its shape requires, and each byte of the file belongs to exactly
/// one array. Blocks the thread.
[[nodiscard]] NamedArrays loadSafetensors(const std::filesystem::path& path);

}  // namespace tapestry
#pragma GCC visibility pop
