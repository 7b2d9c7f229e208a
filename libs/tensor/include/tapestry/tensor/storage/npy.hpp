// Defines saveNpy and loadNpy, a tensor to and from a file in NumPy's format.
#pragma once

#include <filesystem>

#include "tapestry/tensor/storage/file_error.hpp"
#include "tapestry/tensor/tensor.hpp"

namespace tapestry {

/// Writes version 1.0 of the format (NumPy Enhancement Proposal 1), little-endian. The path has the tensor
/// when this returns; if it fails with FileError, or never returns, the path keeps its previous file. Blocks
/// the thread.
template <class T>
void saveNpy(const std::filesystem::path& path, const Tensor<T>& tensor);

/// Reads versions 1.0 and 2.0. Throws FileError, before it takes memory for the values, unless the file holds
/// exactly one array of T in row-major order, of a shape that Shape can be. Blocks the thread.
template <class T>
[[nodiscard]] Tensor<T> loadNpy(const std::filesystem::path& path);

extern template void saveNpy(const std::filesystem::path&, const Tensor<float>&);
extern template void saveNpy(const std::filesystem::path&, const Tensor<double>&);
extern template Tensor<float> loadNpy(const std::filesystem::path&);
extern template Tensor<double> loadNpy(const std::filesystem::path&);

}  // namespace tapestry
