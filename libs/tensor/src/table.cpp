#include "tapestry/tensor/table.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "kernels/rows/table_rows.hpp"
#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/kernels/add_racing.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry {

namespace detail {

/// The state that the versions of a table share. The lock guards the rows and the links between the versions;
/// threads that read rows share it, so that they do not put each other to sleep.
template <class T>
struct TableStorage {
  explicit TableStorage(Tensor<T> initial) : rows(std::move(initial)) { rows.exclusiveData(); }

  std::shared_mutex lock;
  Tensor<T> rows;  ///< the only handle
};

/// The version in memory has no base; any other version is its base with other rows at some indices.
template <class T>
class TableVersion final : public std::enable_shared_from_this<TableVersion<T>> {
 public:
  using Pointer = std::shared_ptr<TableVersion>;

  explicit TableVersion(Tensor<T> rows)
      : shape_(rows.shape()),
        width_(shape_[0] == 0 ? 0 : shape_.size() / shape_[0]),
        storage_(std::make_shared<TableStorage<T>>(std::move(rows))) {}
  TableVersion(Pointer base, const Indices& indices, Tensor<T> rows)
      : shape_(base->shape_),
        width_(base->width_),
        storage_(base->storage_),
        base_(std::move(base)),
        indices_(indices),
        rows_(std::move(rows)) {
    rows_.exclusiveData();
  }
  TableVersion(const TableVersion&) = delete;
  TableVersion& operator=(const TableVersion&) = delete;
  /// Destroys a chain of versions without other owners in a loop, so that its length costs no stack.
  ~TableVersion() {
    Pointer base = std::move(base_);
    while (base && base.use_count() == 1) {
      Pointer next;
      {
        const std::scoped_lock guard(storage_->lock);  // makes the last change of the link visible
        next = std::exchange(base->base_, nullptr);
      }
      base = std::move(next);
    }
  }

  const Shape& shape() const noexcept { return shape_; }
  std::size_t width() const noexcept { return width_; }
  TableStorage<T>& storage() const noexcept { return *storage_; }

  /// Copies the rows at the indices to `to` and returns the end of the copy. Precondition: the lock is held,
  /// which other readers may share.
  T* gather(std::span<const std::int64_t> indices, T* to) const noexcept {
    if (base_) {
      for (const std::int64_t index : indices) to = std::copy_n(row(index), width_, to);
      return to;
    }
    kernels::gatherRows(storage_->rows.data(), indices.data(), indices.size(), width_, to);
    return to + indices.size() * width_;
  }

  /// Moves this version into memory, and the rows that it replaces into the version that was there. Returns
  /// the version that need not be kept alive any more, to be released without the lock. Precondition: the
  /// lock is held.
  Pointer settle() noexcept {
    // reverses the path to the version in memory, so that it leads here
    TableVersion* previous = nullptr;
    TableVersion* version = this;
    while (version->base_) {
      TableVersion* const next = version->base_.get();
      version->towards_ = std::exchange(previous, version);
      version = next;
    }
    Pointer unheld;
    while (previous) {
      TableVersion* const next = previous->towards_;
      unheld = previous->exchangeWithBase(std::move(unheld));
      previous = next;
    }
    return unheld;
  }

 private:
  const T* row(std::int64_t index) const noexcept {
    const TableVersion* version = this;
    for (; version->base_; version = version->base_.get())
      if (const T* own = version->replaced(index)) return own;
    return storage_->rows.data() + static_cast<std::size_t>(index) * width_;
  }

  const T* replaced(std::int64_t index) const noexcept {
    const auto all = indices_->values();
    const auto found = std::ranges::lower_bound(all, index);
    if (found == all.end() || *found != index) return nullptr;
    return rows_.data() + static_cast<std::size_t>(found - all.begin()) * width_;
  }

  /// Precondition: the base is in memory. `keep` is the result of the previous exchange, which is released
  /// here.
  Pointer exchangeWithBase(Pointer keep) noexcept {
    kernels::exchangeRows(storage_->rows.exclusiveData(), indices_->values().data(), indices_->size(), width_,
                          rows_.exclusiveData());
    keep = std::exchange(base_, nullptr);
    keep->indices_.swap(indices_);
    std::swap(keep->rows_, rows_);
    keep->base_ = this->shared_from_this();
    return keep;
  }

  const Shape shape_;
  const std::size_t width_;
  const std::shared_ptr<TableStorage<T>> storage_;
  Pointer base_;
  std::optional<Indices> indices_;
  Tensor<T> rows_;
  TableVersion* towards_ = nullptr;  ///< used while a version is settled
};

}  // namespace detail

namespace {

/// The number of rows read under one lock. A version does not change, so the lock may be released in between.
constexpr std::size_t atOnce = 64;

template <class T>
Tensor<T> withRows(Tensor<T> rows) {
  if (rows.rank() == 0)
    throw ShapeError("Table", "a scalar has no rows", toString(rows.shape()), "at least one axis");
  return rows;
}

}  // namespace

template <class T>
Table<T>::Table(Tensor<T> rows) : version_(std::make_shared<Version>(withRows(std::move(rows)))) {}
template <class T>
Table<T>::Table(std::shared_ptr<Version> version) noexcept : version_(std::move(version)) {}
template <class T>
Table<T>::Table(const Table&) noexcept = default;
template <class T>
Table<T>::Table(Table&&) noexcept = default;
template <class T>
Table<T>& Table<T>::operator=(Table other) noexcept {
  std::swap(version_, other.version_);
  return *this;
}
template <class T>
Table<T>::~Table() = default;

template <class T>
const Shape& Table<T>::shape() const noexcept {
  return version_->shape();
}

template <class T>
Tensor<T> Table<T>::gather(const Indices& indices) const {
  auto result = Tensor<T>::uninitialized(gatheredShape("Table", indices, shape()));
  T* to = result.exclusiveData();
  for (auto left = indices.values(); !left.empty();) {
    const auto some = left.first(std::min(atOnce, left.size()));
    const std::shared_lock guard(version_->storage().lock);
    to = version_->gather(some, to);
    left = left.subspan(some.size());
  }
  return result;
}

template <class T>
Table<T> Table<T>::with(const Indices& indices, Tensor<T> rows) const {
  return Table(std::make_shared<Version>(version_, indices, std::move(rows)));
}

template <class T>
void Table<T>::settle() const noexcept {
  std::shared_ptr<Version> unheld;
  {
    const std::scoped_lock guard(version_->storage().lock);
    unheld = version_->settle();
  }
}

template <class T>
Tensor<T> Table<T>::dense() const {
  std::vector<std::int64_t> all(shape()[0]);
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return gather(std::move(all));
}

template <class T>
void Table<T>::addRacing(const IndexedRows<T>& difference) const noexcept {
  if (difference.empty()) return;
  const std::size_t width = version_->width();
  const T* row = difference.rows().data();
  T* const all = const_cast<T*>(version_->storage().rows.data());
  for (const std::int64_t index : difference.indices().values()) {
    kernels::addRacing(all + static_cast<std::size_t>(index) * width, row, width);
    row += width;
  }
}

template class Table<float>;
template class Table<double>;

}  // namespace tapestry
