// Defines saveNpy and loadNpy, which write and read a tensor in NumPy's file format.
#pragma once

#include <filesystem>

#include "tapestry/tensor/storage/file_error.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Writes version 1.0 of the format (NumPy Enhancement Proposal 1), little-endian. When this returns, the
/// file at the path holds the tensor; if it throws FileError before the file has its name, or never returns,
/// the path keeps its previous file. Blocks the thread.
template <class T>
void saveNpy(const std::filesystem::path& path, const Tensor<T>& tensor);

/// Reads versions 1.0 and 2.0. Throws FileError, before it allocates memory for the values, unless the file
/// holds exactly one array of T in row-major order with a shape that Shape can represent. Blocks the thread.
template <class T>
[[nodiscard]] Tensor<T> loadNpy(const std::filesystem::path& path);

extern template void saveNpy(const std::filesystem::path&, const Tensor<float>&);
extern template void saveNpy(const std::filesystem::path&, const Tensor<double>&);
extern template Tensor<float> loadNpy(const std::filesystem::path&);
extern template Tensor<double> loadNpy(const std::filesystem::path&);

}  // namespace tapestry
#pragma GCC visibility pop
