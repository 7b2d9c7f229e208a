#include <tapestry/tensor/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>

#include <tapestry/tensor/buffer_pool.hpp>
#include <tapestry/tensor/element_offset.hpp>
#include <tapestry/tensor/shape_error.hpp>
#include <tapestry/tensor/xtensor/detail/xtensor_header.hpp>

#include TAPESTRY_XTENSOR_CONTAINERS(xstorage.hpp)

namespace tapestry {

namespace {

/// Leaves head room in front of the values, for the block that owns them: a tensor costs one allocation.
template <class T>
struct RecyclingAllocator {
  using value_type = T;

  static constexpr std::size_t headRoom = 128;
  static_assert(headRoom % BufferPool::alignment == 0);

  RecyclingAllocator() noexcept = default;
  template <class U>
  RecyclingAllocator(const RecyclingAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    return reinterpret_cast<T*>(static_cast<std::byte*>(BufferPool::allocate(bytes(count))) + headRoom);
  }
  void deallocate(T* values, std::size_t count) noexcept {
    BufferPool::release(headRoomOf(values), bytes(count));
  }

  static void* headRoomOf(T* values) noexcept { return reinterpret_cast<std::byte*>(values) - headRoom; }

  friend bool operator==(RecyclingAllocator, RecyclingAllocator) noexcept { return true; }

 private:
  static std::size_t bytes(std::size_t count) noexcept { return headRoom + count * sizeof(T); }
};

template <class T>
using Values = xt::uvector<T, RecyclingAllocator<T>>;

// The block of a tensor that was not made by reshape. It lies in the head room of its own values.
template <class T>
struct Owner : detail::TensorBlock<T> {
  Owner(const Shape& extents, Values<T>&& storage) noexcept
      : detail::TensorBlock<T>{1,      detail::TensorBlock<T>::unknown, extents.size(), storage.data(), this,
                               extents},
        values(std::move(storage)) {}

  static Owner* make(const Shape& shape) {
    Values<T> storage(std::max<std::size_t>(shape.size(), 1));
    void* room = RecyclingAllocator<T>::headRoomOf(storage.data());
    return ::new (room) Owner(shape, std::move(storage));
  }

  Values<T> values;
};
static_assert(sizeof(Owner<float>) <= RecyclingAllocator<float>::headRoom);
static_assert(sizeof(Owner<double>) <= RecyclingAllocator<double>::headRoom);

template <class T>
detail::TensorBlock<T>* makeView(detail::TensorBlock<T>* owner, const Shape& shape) {
  using Block = detail::TensorBlock<T>;
  auto* view = ::new (BufferPool::allocate(sizeof(Block)))
      Block{1, Block::unknown, owner->size, owner->data, owner, shape};
  owner->handles.fetch_add(1, std::memory_order_relaxed);
  return view;
}

}  // namespace

template <class T>
Tensor<T>::Tensor(const Shape& shape, std::span<const T> values) {
  if (values.size() != shape.size())
    throw ShapeError("Tensor", "the number of values differs from the shape's size",
                     std::to_string(values.size()) + " values for " + toString(shape),
                     std::to_string(shape.size()));
  block_ = Owner<T>::make(shape);
  std::copy(values.begin(), values.end(), block_->data);
}

template <class T>
Tensor<T> Tensor<T>::uninitialized(const Shape& shape) {
  return Tensor(Owner<T>::make(shape));
}

template <class T>
Tensor<T> Tensor<T>::full(const Shape& shape, T value) {
  Tensor result = uninitialized(shape);
  std::fill_n(result.block_->data, result.size(), value);
  return result;
}

template <class T>
T Tensor<T>::item() const {
  if (size() != 1) throw ShapeError("item", "not a single value", toString(shape()), "a tensor of size 1");
  return *data();
}

template <class T>
T Tensor<T>::at(std::span<const std::ptrdiff_t> indices) const {
  return data()[offsetOf(indices)];
}

template <class T>
std::size_t Tensor<T>::offsetOf(std::span<const std::ptrdiff_t> indices) const {
  return elementOffset("Tensor", shape(), indices);
}

template <class T>
Tensor<T> Tensor<T>::reshape(const Shape& shape) const {
  if (shape.size() != size())
    throw ShapeError("reshape", "the sizes differ", toString(this->shape()) + " to " + toString(shape),
                     "a shape of size " + std::to_string(size()));
  if (block_ == nullptr) return zeros(shape);
  if (shape == block_->shape) return *this;
  return Tensor(makeView(block_->owner, shape));
}

template <class T>
void Tensor<T>::destroy(Block* block) noexcept {
  Block* const owner = block->owner;
  if (owner != block) {
    block->~TensorBlock();
    BufferPool::release(block, sizeof(Block));
    if (isLast(*owner)) destroy(owner);
    return;
  }
  // The block lies inside the memory of its values, which therefore outlive it here.
  auto* last = static_cast<Owner<T>*>(block);
  const Values<T> values = std::move(last->values);
  last->~Owner();
}

template class Tensor<float>;
template class Tensor<double>;

}  // namespace tapestry
