#include "tapestry/tensor/indexed_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "kernels/rows/table_rows.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/squared_norm.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry {

namespace {

/// Returns the extents after those of the indices.
Shape rowShapeOf(const Shape& rows, std::size_t indexRank) {
  return Shape(std::span(rows.begin() + indexRank, rows.end()));
}

/// Rows to be added, with their indices.
template <class T>
struct Sources {
  explicit Sources(std::size_t n) : indices(n), rows(n) {}

  std::vector<std::uint64_t> indices;
  std::vector<const T*> rows;
};

/// Sorts by index and keeps the order of equal indices: a radix sort, whose digits have about as many values
/// as there are rows.
template <class T>
void sortByIndex(Sources<T>& sources) {
  const std::size_t n = sources.indices.size();
  const int bits = std::bit_width(
      std::reduce(sources.indices.begin(), sources.indices.end(), std::uint64_t{0}, std::bit_or()));
  const int most = std::clamp(static_cast<int>(std::bit_width(n)), 6, 12);
  const int passes = (bits + most - 1) / most;
  const int width = passes == 0 ? 0 : (bits + passes - 1) / passes;
  const std::uint64_t digits = std::uint64_t{1} << width;
  Sources<T> sorted(n);
  std::vector<std::size_t> begin;
  for (int shift = 0; shift < bits; shift += width) {
    const auto digit = [=](std::uint64_t index) { return index >> shift & (digits - 1); };
    begin.assign(digits + 1, 0);
    for (const std::uint64_t index : sources.indices) ++begin[digit(index) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t to = begin[digit(sources.indices[i])]++;
      sorted.indices[to] = sources.indices[i];
      sorted.rows[to] = sources.rows[i];
    }
    std::swap(sources, sorted);
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
const Indices& IndexedRows<T>::indices() const {
  static const Indices none(std::vector<std::int64_t>{});
  return empty() ? none : pieces_.front().indices;
}

template <class T>
const Tensor<T>& IndexedRows<T>::rows() const {
  static const Tensor<T> none = Tensor<T>::zeros({0});
  return empty() ? none : pieces_.front().rows;
}

template <class T>
Tensor<T> IndexedRows<T>::dense(const Shape& table) const {
  auto result = Tensor<T>::zeros(table);
  if (size() == 0) return result;
  const std::size_t width = rows().size() / size();
  const T* row = rows().data();
  for (const std::int64_t index : indices().values()) {
    std::copy_n(row, width, result.exclusiveData() + static_cast<std::size_t>(index) * width);
    row += width;
  }
  return result;
}

template <class T>
IndexedRows<T> IndexedRows<T>::merged() && {
  if (empty()) return {};
  const Shape row = rowShapeOf(rows().shape(), indices().shape().rank());
  const std::size_t width = row.size();
  std::size_t n = 0;
  for (const Piece& piece : pieces_) n += piece.indices.size();
  Sources<T> sources(n);
  std::size_t i = 0;
  for (const Piece& piece : pieces_) {
    const T* next = piece.rows.data();
    for (const std::int64_t index : piece.indices.values()) {
      sources.indices[i] = static_cast<std::uint64_t>(index);
      sources.rows[i++] = next;
      next += width;
    }
  }
  // rows with the same index are added in their original order
  sortByIndex(sources);
  std::vector<std::int64_t> distinct(n);
  std::vector<std::size_t> places(n);  // computed without an unpredictable branch
  std::size_t place = 0;
  for (std::size_t j = 0; j < n; ++j) {
    place += j != 0 && sources.indices[j] != sources.indices[j - 1];
    places[j] = place;
    distinct[place] = static_cast<std::int64_t>(sources.indices[j]);
  }
  if (n != 0) distinct.resize(place + 1);

  std::vector<std::size_t> extents{distinct.size()};
  extents.insert(extents.end(), row.begin(), row.end());
  auto sums = Tensor<T>::zeros(Shape(std::span<const std::size_t>(extents)));
  kernels::addRows(sources.rows.data(), places.data(), n, width, sums.exclusiveData());
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
