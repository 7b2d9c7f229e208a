// Defines einsum, the sums of products of two tensors' elements that labels of their axes describe.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/detail/einsum_labels.hpp"
#include "tapestry/deeplearning/operation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// einsum("ij,jk->ik", x, y) is z[i, k] = the sum over j of x[i, j] * y[j, k]: letters label the axes of x,
/// of y and of z, and labels that z lacks are summed over. Without "->", z has the labels that occur once, in
/// alphabetical order, as in NumPy. dz/dx and dz/dy are einsums of the delta and the other operand. It
/// computes one matrix multiplication for each index of the labels that all three share; an operand is copied
/// only if its labels are not in the order (shared, its own, summed) or (shared, summed, its own). A label
/// that occurs twice in one operand is refused, and so is "...". Throws std::invalid_argument for subscripts
/// that cannot be parsed; ShapeError for labels that do not fit the shapes or have two extents.
template <class A>
auto einsum(std::string_view subscripts, const A& x, const MeetingTensors<A> auto& y) {
  const auto labels = detail::EinsumLabels::parse(subscripts);
  return binaryOperation<"einsum", Keep::operands>(
      [labels](const auto& a, const auto& b) { return detail::einsum(a, b, labels); },
      [labels]<class X>(const X& delta, const X& a, const X& b) {
        return detail::einsumDerivative<X>({delta, labels.z}, {a, labels.x}, {b, labels.y});
      },
      [labels]<class X>(const X& delta, const X& a, const X& b) {
        return detail::einsumDerivative<X>({delta, labels.z}, {b, labels.y}, {a, labels.x});
      },
      labels)(x, y);
}

void einsum(...) = delete;  // expected subscripts, and two Differentiable tensors of one element type

}  // namespace tapestry
#pragma GCC visibility pop
