#include "tapestry/deeplearning/indexed_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "tapestry/deeplearning/kernels/arithmetic.hpp"
#include "tapestry/deeplearning/kernels/squared_norm.hpp"
#include "tapestry/deeplearning/shape_error.hpp"

namespace tapestry {

namespace {

/// The extents behind those of the indices.
Shape rowShapeOf(const Shape& rows, std::size_t indexRank) {
  return Shape(std::span(rows.begin() + indexRank, rows.end()));
}

/// A row to be added, and at which index.
template <class T>
struct Source {
  std::uint64_t index;
  const T* row;
};

/// Sorts by the index, and leaves equal ones in their order: a radix sort, of about as many digits as there
/// are rows to be sorted.
template <class T>
void sortByIndex(std::vector<Source<T>>& sources) {
  std::uint64_t bits = 0;
  for (const auto& source : sources) bits |= source.index;
  const int width = std::clamp(static_cast<int>(std::bit_width(sources.size())), 6, 12);
  const std::uint64_t digits = std::uint64_t{1} << width;
  std::vector<Source<T>> sorted(sources.size());
  std::vector<std::size_t> begin;
  for (int shift = 0; shift < 64 && bits >> shift != 0; shift += width) {
    const auto digit = [=](const Source<T>& source) { return source.index >> shift & (digits - 1); };
    begin.assign(digits + 1, 0);
    for (const auto& source : sources) ++begin[digit(source) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const auto& source : sources) sorted[begin[digit(source)]++] = source;
    sources.swap(sorted);
  }
}

}  // namespace

template <class T>
IndexedRows<T>::IndexedRows(Indices indices, Tensor<T> rows) {
  const Shape& leading = indices.shape();
  if (rows.rank() < leading.rank() || !std::equal(leading.begin(), leading.end(), rows.shape().begin()))
    throw ShapeError("IndexedRows", "the rows are not those of the indices",
                     toString(rows.shape()) + " for indices " + toString(leading),
                     "the indices' extents first");
  pieces_.push_back({std::move(indices), std::move(rows)});
}

template <class T>
IndexedRows<T>& IndexedRows<T>::operator+=(IndexedRows&& other) {
  if (!empty() && !other.empty()) {
    const auto mine = rowShapeOf(rows().shape(), indices().shape().rank());
    const auto others = rowShapeOf(other.rows().shape(), other.indices().shape().rank());
    if (mine != others)
      throw ShapeError("IndexedRows", "the shapes of rows differ", toString(others), toString(mine));
  }
  pieces_.insert(pieces_.end(), std::make_move_iterator(other.pieces_.begin()),
                 std::make_move_iterator(other.pieces_.end()));
  return *this;
}

template <class T>
IndexedRows<T> IndexedRows<T>::merged() && {
  if (empty()) return {};
  const Shape row = rowShapeOf(rows().shape(), indices().shape().rank());
  const std::size_t width = row.size();
  std::vector<Source<T>> sources;
  for (const Piece& piece : pieces_) {
    const T* next = piece.rows.data();
    for (const std::int64_t index : piece.indices.values()) {
      sources.push_back({static_cast<std::uint64_t>(index), next});
      next += width;
    }
  }
  // rows of one index are added in the order in which they came
  sortByIndex(sources);
  std::vector<std::int64_t> distinct;
  for (const auto& source : sources)
    if (const auto index = static_cast<std::int64_t>(source.index);
        distinct.empty() || distinct.back() != index)
      distinct.push_back(index);

  std::vector<std::size_t> extents{distinct.size()};
  extents.insert(extents.end(), row.begin(), row.end());
  auto sums = Tensor<T>::uninitialized(Shape(std::span<const std::size_t>(extents)));
  T* next = sums.exclusiveData();
  for (auto source = sources.begin(); source != sources.end();) {
    T* const sum = next;
    next = std::copy_n(source->row, width, sum);
    for (const auto index = source->index; ++source != sources.end() && source->index == index;)
      std::transform(sum, next, source->row, sum, std::plus<>());
  }
  return {Indices(std::move(distinct)), std::move(sums)};
}

template <class T>
double IndexedRows<T>::squaredNorm() const {
  return empty() ? 0 : kernels::squaredNorm(rows());
}

template <class T>
IndexedRows<T> IndexedRows<T>::scaled(double factor) && {
  for (Piece& piece : pieces_) piece.rows = kernels::scale(std::move(piece.rows), static_cast<T>(factor));
  return std::move(*this);
}

template class IndexedRows<float>;
template class IndexedRows<double>;

}  // namespace tapestry
