// Defines IndexedRows, the derivative of a loss with respect to a table of which some rows were read.
#pragma once

#include <cstddef>
#include <vector>

#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/tensor.hpp"

namespace tapestry {

/// A sum of rows, each at its index in the table; all other rows are 0. Adding two only gathers them;
/// `merged` adds up the rows of one index.
template <class T>
class IndexedRows {
 public:
  /// No rows, the neutral element of addition.
  IndexedRows() = default;
  /// rows[i..] at indices[i..], which are not negative. Throws ShapeError unless `rows` begins with the shape
  /// of the indices.
  IndexedRows(Indices indices, Tensor<T> rows);

  /// Throws ShapeError if the rows have another shape.
  IndexedRows& operator+=(IndexedRows&& other);

  /// The same sum as one tensor [n, ...] with n different indices, in ascending order. Cost: O(rows),
  /// and a radix sort of the indices, which is as much.
  IndexedRows merged() &&;

  bool empty() const noexcept { return pieces_.empty(); }

  // Of what `merged` has given:
  std::size_t size() const noexcept { return empty() ? 0 : pieces_.front().indices.size(); }
  /// Of shape [0], both, where there are no rows.
  const Indices& indices() const;
  const Tensor<T>& rows() const;
  /// As a tensor of a table's shape [n, ...]. Cost: O(n). Precondition: `merged` has given this, and the
  /// indices and the rows fit the table.
  Tensor<T> dense(const Shape& table) const;
  double squaredNorm() const;
  IndexedRows scaled(double factor) &&;

 private:
  struct Piece {
    Indices indices;
    Tensor<T> rows;
  };

  std::vector<Piece> pieces_;
};

extern template class IndexedRows<float>;
extern template class IndexedRows<double>;

}  // namespace tapestry
