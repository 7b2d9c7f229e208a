// Defines IndexedRows, the derivative of a loss with respect to the rows of a table that were read.
#pragma once

#include <cstddef>
#include <vector>

#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/lifetime_bound.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A sum of rows, each at its index in the table; all other rows are 0. Addition only collects the rows of
/// both operands; `merged` adds up the rows that have the same index.
template <class T>
class IndexedRows {
 public:
  /// No rows, the neutral element of addition.
  IndexedRows() = default;
  /// Holds rows[i..] at indices[i..], which are not negative. Throws ShapeError unless the shape of `rows`
  /// begins with the shape of the indices.
  IndexedRows(Indices indices, Tensor<T> rows);

  /// Throws ShapeError if the rows have another shape.
  IndexedRows& operator+=(IndexedRows&& other);

  /// Returns the same sum as one tensor [n, ...] with n different indices in ascending order. Cost: O(rows),
  /// including a radix sort of the indices.
  IndexedRows merged() &&;

  bool empty() const noexcept { return pieces_.empty(); }

  // The following functions are for results of `merged`.
  std::size_t size() const noexcept { return empty() ? 0 : pieces_.front().indices.size(); }
  /// The indices and the rows; both have shape [0] if there are no rows.
  const Indices& indices() const TAPESTRY_LIFETIME_BOUND;
  const Tensor<T>& rows() const TAPESTRY_LIFETIME_BOUND;
  /// Returns the sum as a tensor of a table's shape [n, ...]. Cost: O(n). Precondition: this is a result of
  /// `merged`, and the indices and the rows fit the table.
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
#pragma GCC visibility pop
