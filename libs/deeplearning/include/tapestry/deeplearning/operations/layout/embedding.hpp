// Defines embedding, the rows of a table at given indices.
#pragma once

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/table_weight.hpp"
#include "tapestry/tensor/kernels/gather.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct EmbeddingShapes {
  Indices indices;
  Shape of(std::string_view name, const Shape& table) const;
  extend::Attributes attributes() const { return {{"indices", indices}}; }
};

/// Throws ShapeError for a table that is not [V, D].
void requireTable(const Shape& table);

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
  return unaryOperation<"embedding", Keep::nothing>(
      [indices](const Table<T>& rows) { return rows.gather(indices); },
      [indices](const Tensor<T>& delta) { return IndexedRows<T>(indices, delta); },
      detail::EmbeddingShapes{indices})(table);
}

/// The same for a table that is a tensor [V, D] of another library, whose delta and step are those of the
/// whole table. Throws ShapeError for a table of another rank.
template <OwnKernels X>
Layer<X> embedding(const Weight<X>& table, const Indices& chosen) {
  const Shape& shape = *table.node()->knownShape();
  detail::requireTable(shape);
  const Indices indices = detail::embeddingIndices(chosen, shape);
  return unaryOperation<"embedding", Keep::shapes>(
      [indices](const auto& rows) { return kernels::gather(rows, indices, 0); },
      [indices](const auto& delta, const Shape& from) {
        return kernels::scatter(delta, indices, 0, from[0]);
      },
      detail::EmbeddingShapes{indices})(table);
}

void embedding(...) = delete;  // expected a Weight of a Table or of a device tensor, and Indices

}  // namespace tapestry
#pragma GCC visibility pop
