// Defines MultiHeadAttention, a layer whose rows attend to other rows.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/layers/dense.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/operations/product/scaled_dot_product_attention.hpp"
#include "tapestry/tensor/kernels/view.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Maps [..., T, heads * D] to [..., heads, T, D].
struct SplitShapes {
  std::size_t heads;
  Shape of(std::string_view name, const Shape& from) const;
  extend::Attributes attributes() const { return {{"part", std::string("split")}, {"heads", heads}}; }
};
/// Maps [..., heads, T, D] to [..., T, heads * D].
struct JoinShapes {
  static Shape of(std::string_view name, const Shape& from);
  static extend::Attributes attributes() { return {{"part", std::string("join")}}; }
};

/// Swaps the two axes before the last: [..., A, B, D] to [..., B, A, D].
kernels::View swappedRows(const Shape& from);

template <class X>
  requires isTensor<X>
X split(const X& x, std::size_t heads) {
  const Shape to = SplitShapes{heads}.of("multiHeadAttention", x.shape());
  const Shape rows = swappedRows(to).shape;
  return kernels::read(x.reshape(rows), swappedRows(rows));
}
template <class X>
  requires isTensor<X>
X join(const X& x) {
  return kernels::read(x, swappedRows(x.shape())).reshape(JoinShapes::of("multiHeadAttention", x.shape()));
}

}  // namespace detail

/// For x [..., T, width] and a memory [..., S, width], by default x itself:
///   output(heads of scaledDotProductAttention(query(x), key(memory), value(memory))), of shape [..., T,
///   width],
/// where each head sees its own part of the width. Vaswani et al., "Attention Is All You Need" (2017),
/// section 3.2.2. T is the type of the elements, or of tensors: MultiHeadAttention<DeviceTensor<float>>.
template <class T = float>
struct MultiHeadAttention {
  /// MultiHeadAttention<>({.width = 512, .heads = 8}, generator)
  struct Configuration {
    std::size_t width;
    std::size_t heads;
  };

  using Values = detail::TensorFor<T>;

  Dense<T> query;
  Dense<T> key;
  Dense<T> value;
  Dense<T> output;
  std::size_t heads;

  /// Starts with Glorot's uniform values and biases of 0, which place(x), a function from tensors of the host
  /// to Values, brings to where the layer computes. Throws std::invalid_argument unless the heads divide the
  /// width.
  template <detail::PlaceFor<Values> Place = detail::OnHost>
  MultiHeadAttention(const Configuration& c, Generator& generator, const Place& place = {})
      : query(requireDivided(c), c.width, generator, place),
        key(c.width, c.width, generator, place),
        value(c.width, c.width, generator, place),
        output(c.width, c.width, generator, place),
        heads(c.heads) {}

  auto operator()(const detail::TensorOf<T> auto& x, const kernels::Attention& attention = {}) const {
    return (*this)(x, x, attention);
  }

  template <detail::TensorOf<T> X, detail::TensorOf<T> M>
  auto operator()(const X& x, const M& memory, const kernels::Attention& attention = {}) const {
    return joined(
        scaledDotProductAttention(split(query(x)), split(key(memory)), split(value(memory)), attention));
  }

  /// Takes a mask, as scaledDotProductAttention does, which broadcasts to [..., heads, T, S].
  template <detail::TensorOf<T> X, detail::TensorOf<T> M, Meeting<Values> Mask>
  auto operator()(const X& x, const M& memory, const Mask& mask,
                  const kernels::Attention& attention = {}) const {
    return joined(scaledDotProductAttention(split(query(x)), split(key(memory)), split(value(memory)), mask,
                                            attention));
  }
  void operator()(...) const = delete;  // expected Differentiable tensors of one type: x, memory, mask

  Weights weights() const { return {{"query", query}, {"key", key}, {"value", value}, {"output", output}}; }

 private:
  static std::size_t requireDivided(const Configuration& c) {
    if (c.heads == 0 || c.width % c.heads != 0)
      throw std::invalid_argument("tapestry::MultiHeadAttention: the heads do not divide the width, got " +
                                  std::to_string(c.heads) + " heads for a width of " +
                                  std::to_string(c.width) + ", expected a divisor");
    return c.width;
  }

  /// The delta is joined again.
  auto split(const auto& rows) const {
    return unaryOperation<"multiHeadAttention", Keep::nothing>(
        [n = heads](const auto& joint) { return detail::split(joint, n); },
        [](const auto& delta) { return detail::join(delta); }, detail::SplitShapes{heads})(rows);
  }

  /// The delta is split again.
  auto joined(const auto& attended) const {
    return output(unaryOperation<"multiHeadAttention", Keep::nothing>(
        [](const auto& apart) { return detail::join(apart); },
        [n = heads](const auto& delta) { return detail::split(delta, n); }, detail::JoinShapes())(attended));
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
