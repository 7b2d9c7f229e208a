// Defines transpose, which swaps the last two axes.
#pragma once

#include <cstddef>
#include <numeric>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/transpose.hpp"
#include "tapestry/tensor/kernels/view.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct TransposeShapes {
  static kernels::View view(std::string_view name, const Shape& from) {
    if (from.rank() < 2) throw ShapeError(name, "fewer than two axes", toString(from), "[..., M, N]");
    std::vector<std::ptrdiff_t> axes(from.rank());
    std::iota(axes.begin(), axes.end(), 0);
    std::swap(axes[from.rank() - 1], axes[from.rank() - 2]);
    return kernels::View::permuted(from, axes, name);
  }
  static Shape of(std::string_view name, const Shape& from) { return view(name, from).shape; }
};

template <class X>
  requires isTensor<X>
X transposed(const X& x) {
  if constexpr (isHostTensor<X>)
    if (x.rank() == 2) return kernels::transpose(x);
  return kernels::read(x, TransposeShapes::view("transpose", x.shape()));
}

}  // namespace detail

namespace operations {

/// [..., M, N] to [..., N, M]; the delta is transposed back. `matmul` takes matrices as they are stored, so
/// that its operands need no copy.
inline constexpr auto transpose = unaryOperation<"transpose", Keep::nothing, detail::TransposeShapes>(
    []<class X>(const X& x) requires detail::isTensor<X> { return detail::transposed(x); },
    [](const auto& delta) { return detail::transposed(delta); });

}  // namespace operations

auto transpose(const NumericTensor auto& x) { return operations::transpose(x); }

void transpose(...) = delete;  // expected a Differentiable tensor

}  // namespace tapestry
#pragma GCC visibility pop
