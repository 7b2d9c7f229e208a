#include "hand/dense.hpp"

#include <algorithm>

namespace tapestry::benchmarks::hand {

namespace {

struct Ints {
  explicit Ints(const Dense::Extents& extents)
      : batch(static_cast<int>(extents.batch)),
        inputs(static_cast<int>(extents.inputs)),
        outputs(static_cast<int>(extents.outputs)) {}
  int batch, inputs, outputs;
};

ProductShape forwardShape(const Ints& e) { return {false, false, e.batch, e.outputs, e.inputs}; }
ProductShape backwardShape(const Ints& e, float beta) {
  return {false, true, e.batch, e.inputs, e.outputs, 1, beta};
}
ProductShape stepShape(const Ints& e, float learningRate) {
  return {true, false, e.inputs, e.outputs, e.batch, -learningRate, 1};
}

Product productOf(const ProductShape& shape, Library library, Division division) {
  return dividesProducts(division) ? makeHalvedProduct(shape) : makeProduct(shape, library);
}

}  // namespace

Dense::Dense(const Extents& extents, Activation activation, Below below, double learningRate, Library library,
             Division division)
    : extents_(extents),
      activation_(activation),
      below_(below),
      learningRate_(static_cast<float>(learningRate)),
      multiply_(productOf(forwardShape(Ints(extents)), library, division)),
      multiplyBack_(productOf(backwardShape(Ints(extents), below == Below::add ? 1 : 0), library, division)),
      step_(productOf(stepShape(Ints(extents), learningRate_), library, division)),
      weight_(extents.inputs * extents.outputs),
      bias_(extents.outputs),
      output_(extents.batch * extents.outputs) {}

void Dense::setWeights(const float* weight, const float* bias) {
  std::copy_n(weight, weight_.size(), weight_.data());
  std::copy_n(bias, bias_.size(), bias_.data());
}

const float* Dense::forward(const float* x) {
  multiply_(x, weight_.data(), output_.data());
  const std::size_t outputs = extents_.outputs;
  const float* const bias = bias_.data();
  for (float* y = output_.data(); y != output_.data() + output_.size(); y += outputs)
    if (activation_ == Activation::relu)
      for (std::size_t i = 0; i < outputs; ++i) y[i] = std::max(y[i] + bias[i], 0.0F);
    else
      for (std::size_t i = 0; i < outputs; ++i) y[i] += bias[i];
  return output_.data();
}

void Dense::maskByOutput(float* delta) const {
  const float* const y = output_.data();
  for (std::size_t i = 0; i < output_.size(); ++i) delta[i] = y[i] > 0 ? delta[i] : 0;
}

void Dense::backward(const float* x, float* delta, float* dx) {
  if (activation_ == Activation::relu) maskByOutput(delta);
  if (below_ != Below::none) multiplyBack_(delta, weight_.data(), dx);
  step_(x, delta, weight_.data());
  const std::size_t outputs = extents_.outputs;
  float* const bias = bias_.data();
  for (const float* row = delta; row != delta + output_.size(); row += outputs)
    for (std::size_t i = 0; i < outputs; ++i) bias[i] -= learningRate_ * row[i];
}

}  // namespace tapestry::benchmarks::hand
