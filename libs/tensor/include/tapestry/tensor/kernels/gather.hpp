// Defines gather, which selects slices along an axis by index, and its transpose scatter.
#pragma once

#include <cstddef>

#include <tapestry/tensor/indices.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// A negative `axis` counts from the last, a negative index from the end. All functions throw ShapeError for
// an axis out of range, std::out_of_range for an index out of range.

/// Returns the shape with the indices' shape in place of the axis.
Shape gatherShape(const Shape& shape, const Indices& indices, std::ptrdiff_t axis);

/// y[a.., i.., b..] = x[a.., indices[i..], b..].
template <class T>
Tensor<T> gather(const Tensor<T>& x, const Indices& indices, std::ptrdiff_t axis);

/// Returns the shape with one axis of that extent in place of the indices' shape, which begins at that axis.
/// Also throws ShapeError if `shape` does not have the indices' shape there.
Shape scatterShape(const Shape& shape, const Indices& indices, std::ptrdiff_t axis, std::size_t extent);

/// y[a.., k, b..] = the sum of x[a.., i.., b..] over all i.. with indices[i..] = k.
template <class T>
Tensor<T> scatter(const Tensor<T>& x, const Indices& indices, std::ptrdiff_t axis, std::size_t extent);

TAPESTRY_OWN_KERNEL(gather, (const X& x, const Indices& indices, std::ptrdiff_t axis), (x, indices, axis))
TAPESTRY_OWN_KERNEL(scatter, (const X& x, const Indices& indices, std::ptrdiff_t axis, std::size_t extent),
                    (x, indices, axis, extent))

}  // namespace tapestry::kernels
#pragma GCC visibility pop
