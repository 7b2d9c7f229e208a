// Defines Gru, a recurrent layer with two gates.
#pragma once

#include <cstddef>
#include <span>  // the concepts of ranges, without the views
#include <vector>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/operations/activation/sigmoid.hpp"
#include "tapestry/deeplearning/operations/activation/tanh.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"
#include "tapestry/deeplearning/operations/layout/split.hpp"
#include "tapestry/deeplearning/operations/product/affine.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The gated recurrent unit of Cho et al. (2014), in the form whose reset gate follows the matrix product.
/// For x [batch, inputs] and h [batch, units]:
///   xr, xz, xn = the three parts of x · input + bias
///   hr, hz, hn = the three parts of h · recurrent + recurrentBias
///   r = sigmoid(xr + hr),  z = sigmoid(xz + hz),  n = tanh(xn + r * hn)
///   h' = n + z * (h - n)
/// T is the type of the elements, or of tensors: Gru<DeviceTensor<float>>.
template <class T = float>
struct Gru {
  using Values = detail::TensorFor<T>;
  using Element = detail::ElementOf<Values>;

  Weight<Values> input;          ///< [inputs, 3 units]
  Weight<Values> recurrent;      ///< [units, 3 units]
  Weight<Values> bias;           ///< [3 units]
  Weight<Values> recurrentBias;  ///< [3 units]

  /// Starts with Glorot's uniform input weights, orthogonal recurrent weights, and biases of 0, which
  /// place(x), a function from tensors of the host to Values, brings to where the layer computes.
  template <detail::PlaceFor<Values> Place = detail::OnHost>
  Gru(std::size_t inputs, std::size_t units, Generator& generator, const Place& place = {})
      : input(place(glorotUniform<Element>({inputs, 3 * units}, generator))),
        recurrent(place(orthogonal<Element>({units, 3 * units}, generator))),
        bias(place(Tensor<Element>::zeros({3 * units}))),
        recurrentBias(place(Tensor<Element>::zeros({3 * units}))) {}

  std::size_t units() const { return recurrent.data().shape()[0]; }

  /// The state before the first step, 0.
  Layer<Values> initial(std::size_t batch) const { return Values::zeros({batch, units()}); }

  Layer<Values> step(const detail::TensorOf<T> auto& x, const Layer<Values>& hidden) const {
    const auto fromInput = split(affine(x, input, bias), 3, units(), 1);
    const auto fromHidden = split(affine(hidden, recurrent, recurrentBias), 3, units(), 1);
    const auto reset = sigmoid(fromInput[0] + fromHidden[0]);
    const auto update = sigmoid(fromInput[1] + fromHidden[1]);
    const auto candidate = tanh(fromInput[2] + reset * fromHidden[2]);
    return candidate + update * (hidden - candidate);
  }
  void step(...) const = delete;  // expected a Differentiable tensor of the weights' type, and a state

  /// Returns the states after each x of a sequence; the last state continues the sequence.
  template <class Xs>
    requires std::ranges::input_range<const Xs> && detail::TensorOf<std::ranges::range_value_t<const Xs>, T>
  std::vector<Layer<Values>> operator()(const Xs& xs, Layer<Values> hidden) const {
    std::vector<Layer<Values>> states;
    for (const auto& x : xs) states.push_back(hidden = step(x, hidden));
    return states;
  }
  void operator()(...) const = delete;  // expected a range of Differentiable tensors, and a state

  Weights weights() const {
    return {{"input", input}, {"recurrent", recurrent}, {"bias", bias}, {"recurrentBias", recurrentBias}};
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
