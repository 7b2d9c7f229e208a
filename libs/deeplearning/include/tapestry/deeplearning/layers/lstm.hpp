// Defines Lstm, a recurrent layer with gates and a cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>  // the concepts of ranges, without the views
#include <vector>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/operations/activation/sigmoid.hpp"
#include "tapestry/deeplearning/operations/activation/tanh.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/layout/split.hpp"
#include "tapestry/deeplearning/operations/product/matmul.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Hochreiter and Schmidhuber's long short-term memory (1997), with the forget gate of Gers et al. (2000).
/// For x [batch, inputs] and a state of hidden h and cell c, both [batch, units]:
///   i, f, g, o = the four parts of x · input + h · recurrent + bias
///   c' = sigmoid(f) * c + sigmoid(i) * tanh(g),  h' = sigmoid(o) * tanh(c')
/// T is the type of the elements, or of tensors: Lstm<DeviceTensor<float>>.
template <class T = float>
struct Lstm {
  using Values = detail::TensorFor<T>;
  using Element = detail::ElementOf<Values>;

  struct State {
    Layer<Values> hidden;
    Layer<Values> cell;
  };

  Weight<Values> input;      ///< [inputs, 4 units]
  Weight<Values> recurrent;  ///< [units, 4 units]
  Weight<Values> bias;       ///< [4 units]

  /// Starts with Glorot's uniform input weights, orthogonal recurrent weights, and a bias of 0 except 1 for
  /// the forget gate: Jozefowicz, Zaremba and Sutskever (2015); place(x), a function from tensors of the host
  /// to Values, brings them to where the layer computes.
  template <detail::PlaceFor<Values> Place = detail::OnHost>
  Lstm(std::size_t inputs, std::size_t units, Generator& generator, const Place& place = {})
      : input(place(glorotUniform<Element>({inputs, 4 * units}, generator))),
        recurrent(place(orthogonal<Element>({units, 4 * units}, generator))),
        bias(place(initialBias(units))) {}

  std::size_t units() const { return recurrent.data().shape()[0]; }

  /// The state before the first step, 0.
  State initial(std::size_t batch) const {
    const Layer<Values> zeros(Values::zeros({batch, units()}));
    return {zeros, zeros};
  }

  /// Returns the state after x, [batch, inputs].
  State step(const detail::TensorOf<T> auto& x, const State& state) const {
    const auto z = matmul(x, input) + matmul(state.hidden, recurrent) + bias;
    const auto gates = split(z, 4, units(), 1);
    const auto cell = sigmoid(gates[1]) * state.cell + sigmoid(gates[0]) * tanh(gates[2]);
    return {sigmoid(gates[3]) * tanh(cell), cell};
  }
  void step(...) const = delete;  // expected a Differentiable tensor of the weights' type, and a state

  /// Returns the states after each x of a sequence; the last state continues the sequence.
  template <class Xs>
    requires std::ranges::input_range<const Xs> && detail::TensorOf<std::ranges::range_value_t<const Xs>, T>
  std::vector<State> operator()(const Xs& xs, State state) const {
    std::vector<State> states;
    for (const auto& x : xs) states.push_back(state = step(x, state));
    return states;
  }
  void operator()(...) const = delete;  // expected a range of Differentiable tensors, and a state

  Weights weights() const { return {{"input", input}, {"recurrent", recurrent}, {"bias", bias}}; }

 private:
  static Tensor<Element> initialBias(std::size_t units) {
    auto bias = Tensor<Element>::zeros({4 * units});
    std::fill_n(bias.exclusiveData() + units, units, Element(1));
    return bias;
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
