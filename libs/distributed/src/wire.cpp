#include "tapestry/distributed/wire.hpp"

#include <algorithm>

namespace tapestry {

std::span<const std::byte> ByteReader::take(std::size_t count) {
  if (count > rest_.size())
    throw std::invalid_argument("tapestry::fromBytes: bytes are missing, got " +
                                std::to_string(rest_.size()) + ", expected " + std::to_string(count));
  const auto taken = rest_.first(count);
  rest_ = rest_.subspan(count);
  return taken;
}

std::size_t ByteReader::readCount(std::size_t least) {
  const auto count = read<std::size_t>();
  if (least > 0 && count > rest_.size() / least)
    throw std::invalid_argument("tapestry::fromBytes: elements are missing, got bytes for " +
                                std::to_string(rest_.size() / least) + ", expected " + std::to_string(count));
  return count;
}

bool Wire<bool>::read(ByteReader& from) {
  const auto value = from.read<std::uint8_t>();
  if (value > 1)
    throw std::invalid_argument("tapestry::fromBytes: a bool is wrong, got " + std::to_string(value) +
                                ", expected 0 or 1");
  return value == 1;
}

template <class T>
Tensor<T> Wire<Tensor<T>>::read(ByteReader& from) {
  const auto extents = from.read<std::vector<std::size_t>>();
  const bool isEmpty = std::find(extents.begin(), extents.end(), std::size_t{0}) != extents.end();
  std::size_t room = from.left() / sizeof(T);
  for (const std::size_t extent : extents) {
    if (isEmpty) break;
    if (extent > room)
      throw std::invalid_argument("tapestry::fromBytes: elements of a tensor are missing, got bytes for " +
                                  std::to_string(room) + ", expected " + std::to_string(extent));
    room /= extent;
  }
  auto tensor = Tensor<T>::uninitialized(Shape(std::span(extents)));
  if (tensor.size() != 0)
    from.copyTo(std::as_writable_bytes(std::span(tensor.exclusiveData(), tensor.size())));
  return tensor;
}

template struct Wire<Tensor<float>>;
template struct Wire<Tensor<double>>;

}  // namespace tapestry
