#include "tapestry/deeplearning/detail/heads.hpp"

#include <numeric>
#include <string>
#include <vector>

#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::detail {

Shape SplitShapes::of(std::string_view name, const Shape& from) const {
  const std::size_t rank = from.rank();
  if (rank < 2 || from[rank - 1] % heads != 0)
    throw ShapeError(name, "the rows cannot be divided among heads", toString(from),
                     "[..., T, E] with an E that " + std::to_string(heads) + " divides");
  std::vector<std::size_t> extents(from.begin(), from.end() - 2);
  extents.insert(extents.end(), {heads, from[rank - 2], from[rank - 1] / heads});
  return Shape(extents);
}

Shape JoinShapes::of(std::string_view name, const Shape& from) {
  const std::size_t rank = from.rank();
  if (rank < 3) throw ShapeError(name, "no heads to join", toString(from), "[..., heads, T, D]");
  std::vector<std::size_t> extents(from.begin(), from.end() - 3);
  extents.insert(extents.end(), {from[rank - 2], from[rank - 3] * from[rank - 1]});
  return Shape(extents);
}

kernels::View swappedRows(const Shape& from) {
  std::vector<std::ptrdiff_t> axes(from.rank());
  std::iota(axes.begin(), axes.end(), 0);
  std::swap(axes[from.rank() - 2], axes[from.rank() - 3]);
  return kernels::View::permuted(from, axes, "multiHeadAttention");
}

}  // namespace tapestry::detail
