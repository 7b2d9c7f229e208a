// Defines embedding, the rows of a table at given indices.
#pragma once

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/table_weight.hpp"

namespace tapestry {

namespace detail {

struct EmbeddingShapes {
  Indices indices;
  Shape of(std::string_view name, const Shape& table) const;
};

/// Returns the indices, all counted from the start. Throws std::out_of_range for an index that the table
/// lacks.
Indices embeddingIndices(const Indices& indices, const Shape& table);

}  // namespace detail

/// y[i.., :] = table[indices[i..], :]; the delta of a row is the sum of the deltas at all of its places.
/// Indices [B, T] and a table [V, D] give [B, T, D]. Negative indices count from the end, as for `gather`.
/// Throws std::out_of_range for an index out of range. Cost of forward, of backward and of the step: O(rows
/// read).
template <class T>
Layer<Tensor<T>> embedding(const Weight<Table<T>>& table, const Indices& chosen) {
  const Indices indices = detail::embeddingIndices(chosen, *table.node()->knownShape());
  const auto operation = unaryOperation<"embedding", Keep::nothing>(
      [indices](const Table<T>& rows) { return rows.gather(indices); },
      [indices](const Tensor<T>& delta) { return IndexedRows<T>(indices, delta); },
      detail::EmbeddingShapes{indices});
  return operation(table);
}

void embedding(...) = delete;  // expected a Weight of a Table, and Indices

}  // namespace tapestry
