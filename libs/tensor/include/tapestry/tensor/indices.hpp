// Defines Indices, an immutable array of integers that choose along an axis, and gatheredShape, the shape of
// rows of a table at given indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <tapestry/tensor/attachments.hpp>
#include <tapestry/tensor/shape.hpp>

#include "tapestry/tensor/lifetime_bound.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Data without a derivative, passed to `gather` and `scatter` and returned by `argmax`; copied in O(1).
/// Several threads may use one object at once.
class Indices {
 public:
  /// Has the shape [values.size()].
  Indices(std::vector<std::int64_t> values);
  Indices(std::initializer_list<std::int64_t> values) : Indices(std::vector<std::int64_t>(values)) {}
  /// `values` are in row-major order. Throws ShapeError unless there are shape.size() values.
  Indices(const Shape& shape, std::vector<std::int64_t> values);

  // There are no moves, since a moved-from object would have no values.
  Indices(const Indices&) = default;
  Indices& operator=(const Indices&) = default;

  const Shape& shape() const noexcept TAPESTRY_LIFETIME_BOUND { return shape_; }
  std::size_t size() const noexcept { return values().size(); }
  /// Valid as long as this or a copy of it exists.
  std::span<const std::int64_t> values() const noexcept TAPESTRY_LIFETIME_BOUND { return shared_->values; }
  /// What other libraries keep beside the values, for as long as these exist: a device its copy.
  const Attachments& attachments() const noexcept { return shared_->attachments; }

  friend bool operator==(const Indices& a, const Indices& b) noexcept {
    return a.shape_ == b.shape_ && a.shared_->values == b.shared_->values;
  }

 private:
  struct Shared {
    explicit Shared(std::vector<std::int64_t> all) noexcept : values(std::move(all)) {}
    const std::vector<std::int64_t> values;
    Attachments attachments;
  };

  Shape shape_;
  std::shared_ptr<const Shared> shared_;
};

/// Returns [indices' shape.., ...] for a table [n, ...]. Throws std::out_of_range, naming the operation
/// `name`, for an index that is negative or not less than n. Precondition: the table has an axis.
Shape gatheredShape(std::string_view name, const Indices& indices, const Shape& table);

}  // namespace tapestry
#pragma GCC visibility pop
