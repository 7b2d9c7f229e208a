// Defines addRow, which adds a row to each row of a matrix.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// Each row of the contiguous matrix [rows, columns] += row.
template <class T>
void addRow(const T* row, std::size_t rows, std::size_t columns, T* matrix) noexcept;

}  // namespace tapestry::kernels
