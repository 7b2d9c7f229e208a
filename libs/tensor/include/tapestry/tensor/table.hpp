// Defines Table, the rows of an embedding, for steps that change only some of them.
#pragma once

#include <cstddef>
#include <memory>

#include "tapestry/tensor/indexed_rows.hpp"
#include "tapestry/tensor/lifetime_bound.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {
template <class T>
class TableVersion;
}

/// An immutable handle, copied in O(1), on rows [n, ...] that are dense in memory. All versions of a table
/// share this memory: it holds the version that was settled last, and an older version stores the rows that
/// have changed since. Keeping an old version costs the rows that each later step changes. Several threads
/// may use versions of one table at once. Baker, "Shallow Binding Makes Functional Arrays Fast" (1991).
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
  const Shape& shape() const noexcept TAPESTRY_LIFETIME_BOUND;

  /// Returns the rows at these indices, [indices' shape.., ...]. Throws std::out_of_range for an index that
  /// is negative or not less than n. Cost: O(rows read); for an older version, O(log) more for each row and
  /// each step since.
  Tensor<T> gather(const Indices& indices) const;

  /// Returns another version: this version with `rows` at `indices`. Precondition: the indices are different,
  /// ascend and are not negative; there are as many rows, which have the shape of the table's rows. Cost: at
  /// most O(rows given).
  Table with(const Indices& indices, Tensor<T> rows) const;

  /// Makes this the version in memory. Cost: O(rows that differ from the version that was in memory).
  void settle() const noexcept;

  /// Returns a copy of all rows. Cost: that of `gather` for all rows.
  Tensor<T> dense() const;

  /// Returns a table of the same rows in its own memory. Cost: that of `gather` for all rows.
  Table separate() const { return Table(dense()); }

  /// Adds to rows in the memory of this table while other threads may read or add. Preconditions: no other
  /// version of the table has been settled; the difference is a result of `merged`, its indices are less than
  /// n, and its rows have the shape of the table's rows.
  void addRacing(const IndexedRows<T>& difference) const noexcept;

 private:
  using Version = detail::TableVersion<T>;
  explicit Table(std::shared_ptr<Version> version) noexcept;

  std::shared_ptr<Version> version_;
};

extern template class Table<float>;
extern template class Table<double>;

}  // namespace tapestry
#pragma GCC visibility pop
