// Defines Table, the data of an embedding: rows of which a step changes only some.
#pragma once

#include <cstddef>
#include <memory>

#include "tapestry/tensor/indexed_rows.hpp"
#include "tapestry/tensor/tensor.hpp"

namespace tapestry {

namespace detail {
template <class T>
class TableVersion;
}

/// An immutable handle, copied in O(1), on rows [n, ...] that are dense in memory. All versions of a table
/// share this memory: it holds the version that was settled last, and an older version knows the rows that
/// have changed since. A version that somebody keeps costs the rows of each step since. Several threads may
/// use versions of one table at once. Baker, "Shallow Binding Makes Functional Arrays Fast" (1991).
template <class T>
class Table {
 public:
  /// Throws ShapeError for a scalar, which has no rows.
  explicit Table(Tensor<T> rows);
  Table(const Table&) noexcept;
  Table(Table&&) noexcept;
  Table& operator=(Table) noexcept;
  ~Table();

  /// [n, ...]
  const Shape& shape() const noexcept;

  /// The rows at these indices: [indices' shape.., ...]. Throws std::out_of_range for an index that is
  /// negative or not less than n. Cost: O(rows read), and for an older version O(log) more for each row and
  /// each step since.
  Tensor<T> gather(const Indices& indices) const;

  /// Another version: this one with the rows at these different indices, which ascend and are not negative,
  /// replaced. Precondition: the rows are as many, and of the shape of these. Cost: O(rows given), at most.
  Table with(const Indices& indices, Tensor<T> rows) const;

  /// Makes this the version that memory holds. Cost: O(rows that differ from the version which was).
  void settle() const noexcept;

  /// All rows, copied. Cost: O(n).
  Tensor<T> dense() const;

  /// A table of the same rows in memory of its own. Cost: O(n).
  Table separate() const { return Table(dense()); }

  /// Adds to rows in the memory of this table, whoever reads or adds meanwhile. Precondition: no other
  /// version of it has been settled.
  void addRacing(const IndexedRows<T>& difference) const noexcept;

 private:
  using Version = detail::TableVersion<T>;
  explicit Table(std::shared_ptr<Version> version) noexcept;

  std::shared_ptr<Version> version_;
};

extern template class Table<float>;
extern template class Table<double>;

}  // namespace tapestry
