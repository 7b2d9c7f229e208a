// Defines Tensor<T>, an immutable handle on a row-major array of float or double.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

#include <tapestry/tensor/shape.hpp>

#include "tapestry/tensor/lifetime_bound.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class T>
class Tensor;

namespace kernels {

template <class T>
T magnitude(const Tensor<T>& x);

}  // namespace kernels

namespace detail {

/// The state that the handles of one tensor share. The container that owns the values is defined in the
/// implementation. The shape is last, so that the members that are read for most tensors are in one cache
/// line.
template <class T>
struct TensorBlock {
  /// Values of `magnitude` that are no magnitudes; only the blocks of owners hold `racing`.
  static constexpr float unknown = -1, racing = -2;

  std::atomic<std::uint32_t> handles{1};
  std::atomic<float> magnitude{unknown};  ///< cached for floats on the first request
  std::size_t size;
  T* data;
  TensorBlock* owner;  ///< the block that owns the values: this block unless it is from a reshape
  Shape shape;
};

}  // namespace detail

/// A handle is one pointer: it is copied in O(1), moved at no cost, and destroyed without throwing. A
/// moved-from handle is the scalar 0, like a new one. Several threads may use handles of one tensor at once;
/// as with any value, one handle belongs to one thread at a time.
template <class T>
class Tensor {
  static_assert(std::same_as<T, float> || std::same_as<T, double>, "a tensor holds float or double");
  using Block = detail::TensorBlock<T>;

 public:
  using Value = T;

  /// The scalar 0; allocates nothing.
  Tensor() noexcept = default;

  /// `values` in row-major order. Throws ShapeError unless there are shape.size() of them.
  Tensor(const Shape& shape, std::span<const T> values);
  Tensor(const Shape& shape, std::initializer_list<T> values)
      : Tensor(shape, std::span(values.begin(), values.size())) {}

  /// A tensor of shape [].
  static Tensor scalar(T value) { return full({}, value); }
  /// Each element is `value`.
  static Tensor full(const Shape& shape, T value);
  /// Each element is 0.
  static Tensor zeros(const Shape& shape) { return full(shape, T{0}); }

  /// The values are indeterminate until they are written through exclusiveData().
  static Tensor uninitialized(const Shape& shape);

  Tensor(const Tensor& other) noexcept : block_(other.block_) {
    // Relaxed is enough: the copied handle exists, and passing it to this thread has ordered the accesses.
    if (block_ != nullptr) block_->handles.fetch_add(1, std::memory_order_relaxed);
  }
  Tensor(Tensor&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Tensor& operator=(Tensor other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Tensor() {
    if (block_ != nullptr && isLast(*block_)) destroy(block_);
  }

  const Shape& shape() const noexcept TAPESTRY_LIFETIME_BOUND {
    return block_ != nullptr ? block_->shape : scalarShape_;
  }
  std::size_t rank() const noexcept { return shape().rank(); }
  std::size_t size() const noexcept { return block_ != nullptr ? block_->size : 1; }

  /// The values, contiguous and in row-major order, valid as long as a handle on this tensor exists.
  const T* data() const noexcept TAPESTRY_LIFETIME_BOUND { return block_ != nullptr ? block_->data : &zero_; }
  std::span<const T> values() const noexcept TAPESTRY_LIFETIME_BOUND { return {data(), size()}; }

  /// The only value of a tensor of size 1; throws ShapeError for any other size.
  T item() const;

  /// One value; negative indices count from the end. Throws ShapeError unless there is an index for each
  /// axis, std::out_of_range for an index beyond its axis.
  T at(std::span<const std::ptrdiff_t> indices) const;
  template <std::convertible_to<std::ptrdiff_t>... I>
  const T& operator()(I... indices) const& {  // read only: a tensor does not change; valid as data() is
    const std::array<std::ptrdiff_t, sizeof...(I)> all{static_cast<std::ptrdiff_t>(indices)...};
    return data()[offsetOf(all)];
  }
  template <std::convertible_to<std::ptrdiff_t>... I>
  T operator()(I... indices) const&& {
    return static_cast<const Tensor&>(*this)(indices...);
  }
  template <class... I>
    requires(... || !std::convertible_to<I, std::ptrdiff_t>)
  void operator()(const I&...) const = delete;  // expected an index for each axis

  /// Returns the same values in another shape, sharing the buffer. Throws ShapeError if the sizes differ.
  [[nodiscard("a tensor keeps its own shape")]] Tensor reshape(const Shape& shape) const;

  /// Returns whether no other handle, reshaped or not, refers to the values; only then may they change in
  /// place.
  bool unique() const noexcept {
    // Acquire: reads through other handles happen before this handle is found to be the last.
    return block_ != nullptr && block_->handles.load(std::memory_order_acquire) == 1 &&
           (block_->owner == block_ || block_->owner->handles.load(std::memory_order_acquire) == 1);
  }

  /// Returns the values for writing; copies them first unless this handle is unique. Call it before each
  /// change: it discards cached facts about the values, such as their magnitude, so a pointer from before a
  /// kernel or a pass has read the tensor must not be written through.
  T* exclusiveData() {
    if (!unique()) *this = Tensor(shape(), values());
    // relaxed: this thread alone has the tensor
    if (!(block_->magnitude.load(std::memory_order_relaxed) < 0))
      block_->magnitude.store(Block::unknown, std::memory_order_relaxed);
    return block_->data;
  }

  /// Returns whether both share one buffer, so that their values are equal without a comparison.
  bool identical(const Tensor& other) const noexcept { return data() == other.data(); }

  /// Returns whether the values may change while handles exist, as the passes of a `hogwild` weight see them.
  bool racing() const noexcept {
    return block_ != nullptr && block_->owner->magnitude.load(std::memory_order_relaxed) == Block::racing;
  }
  /// Marks the values as racing. Precondition: unique(), and not reshaped.
  void setRacing() noexcept { block_->magnitude = Block::racing; }

  /// Compares shapes and values by the rules of T: NaN differs from itself.
  friend bool operator==(const Tensor& a, const Tensor& b) noexcept {
    return a.shape() == b.shape() && std::equal(a.data(), a.data() + a.size(), b.data());
  }

 private:
  friend T kernels::magnitude<T>(const Tensor& x);

  explicit Tensor(Block* block) noexcept : block_(block) {}

  std::size_t offsetOf(std::span<const std::ptrdiff_t> indices) const;

  /// Gives up one handle and returns whether it was the last. No other thread can be copying the last handle,
  /// so reading a count of 1 is enough. Release: reads through this handle happen before the last handle's
  /// actions. Acquire: reads through all other handles happen before the destruction.
  static bool isLast(Block& block) noexcept {
    return block.handles.load(std::memory_order_acquire) == 1 ||
           block.handles.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  static void destroy(Block* block) noexcept;

  static constexpr Shape scalarShape_{};
  static constexpr T zero_{};

  Block* block_ = nullptr;  ///< null for the scalar 0
};

extern template class Tensor<float>;
extern template class Tensor<double>;

}  // namespace tapestry
#pragma GCC visibility pop
