#include <numbers>

#include <tapestry/deeplearning/elementwise.hpp>
#include <tapestry/deeplearning/operations/activation/elu.hpp>
#include <tapestry/deeplearning/operations/activation/gelu.hpp>
#include <tapestry/deeplearning/operations/activation/leaky_relu.hpp>
#include <tapestry/deeplearning/operations/activation/log_softmax.hpp>
#include <tapestry/deeplearning/operations/activation/relu.hpp>
#include <tapestry/deeplearning/operations/activation/sigmoid.hpp>
#include <tapestry/deeplearning/operations/activation/softmax.hpp>
#include <tapestry/deeplearning/operations/activation/softplus.hpp>
#include <tapestry/deeplearning/operations/activation/tanh.hpp>
#include <tapestry/deeplearning/operations/arithmetic/add.hpp>
#include <tapestry/deeplearning/operations/arithmetic/clamp.hpp>
#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>
#include <tapestry/deeplearning/operations/layout/reshape.hpp>
#include <tapestry/deeplearning/operations/regularization/batch_norm.hpp>
#include <tapestry/deeplearning/operations/regularization/dropout.hpp>
#include <tapestry/deeplearning/operations/regularization/layer_norm.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

#include "call.hpp"

namespace tapestry::onnx {

namespace {

/// The error function, which the exact form of GELU needs: up to 1, the sum of (-1)^n x^(2n + 1) / (n! (2n +
/// 1)); from there formula 7.1.26 of Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964),
/// which is within 1.5e-7.
constexpr auto erf = elementwise<"erf">(
    [](auto x) {
      constexpr double scale = 2 * std::numbers::inv_sqrtpi;
      const auto q = x * x, far = abs(x), t = 1 / (1 + 0.3275911 * far);
      const auto low = 1 / 216. - q * (1 / 1320. - q * (1 / 9360. - q * (1 / 75600. - q * (1 / 685440.))));
      const auto series = 1 - q * (1 / 3. - q * (1 / 10. - q * (1 / 42. - q * low)));
      const auto high = 1.421413741 + t * (-1.453152027 + t * 1.061405429);
      const auto tail = t * (0.254829592 + t * (-0.284496736 + t * high)) * exp(-q);
      return where(far < 1, scale * x * series, sign(x) * (1 - tail));
    },
    [](auto x) { return 2 * std::numbers::inv_sqrtpi * exp(-x * x); });

/// Before opset 13, softmax ran over all axes from the given one on.
template <class F>
TensorLayer alongTrailing(const TensorLayer& x, std::int64_t first, F f) {
  return withShape(x, [first, f](const TensorLayer& value, const Shape& shape) -> TensorLayer {
    const std::size_t axis = resolveAxis(first, shape, "Softmax");
    std::size_t rows = 1;
    for (std::size_t i = 0; i < axis; ++i) rows *= shape[i];
    const std::size_t columns = shape.size() / (rows == 0 ? 1 : rows);
    return reshape(f(reshape(value, Shape{rows, columns}), -1), shape);
  });
}

template <class F>
std::vector<Value> alongAxis(const Call& call, F f) {
  const bool old = call.opset() < 13;
  const auto axis = call.attribute<std::int64_t>("axis", old ? 1 : -1);
  if (old && axis != -1) return {alongTrailing(call.layer(0), axis, f)};
  return {TensorLayer(f(call.layer(0), axis))};
}

std::vector<Value> leaky(const Call& call) {
  return {TensorLayer(leakyRelu(call.layer(0), call.attribute<float>("alpha", 0.01F)))};
}

std::vector<Value> exponential(const Call& call) {
  return {TensorLayer(elu(call.layer(0), call.attribute<float>("alpha", 1)))};
}

std::vector<Value> hard(const Call& call) {
  const auto alpha = call.attribute<float>("alpha", 0.2F);
  const auto beta = call.attribute<float>("beta", 0.5F);
  return {TensorLayer(clamp(call.layer(0) * alpha + beta, 0, 1))};
}

std::vector<Value> gaussian(const Call& call) {
  const auto form = call.attribute<std::string>("approximate", "none");
  const TensorLayer x = call.layer(0);
  if (form == "tanh") return {TensorLayer(gelu(x))};
  if (form != "none")
    call.fail("the form is not known, got approximate " + excerpt(form) + ", expected \"none\" or \"tanh\"");
  return {TensorLayer(x * 0.5F * (erf(x * static_cast<float>(1 / std::numbers::sqrt2)) + 1.0F))};
}

std::vector<Value> droppedOut(const Call& call) {
  const float rate = call.has(1) ? call.constant(1).item() : call.attribute<float>("ratio", 0.5F);
  if (!(rate >= 0 && rate < 1))
    call.fail("no ratio, got " + std::to_string(rate) + ", expected at least 0 and less than 1");
  return {TensorLayer(dropout(call.layer(0), rate))};
}

std::vector<Value> normalizedBatch(const Call& call) {
  if (call.attribute<std::int64_t>("training_mode", 0) != 0)
    call.fail("training_mode is not known, got 1, expected 0; the network trains all the same");
  const BatchStatistics<float> statistics{call.average(3), call.average(4)};
  return {TensorLayer(batchNorm<float>(call.layer(0), call.layer(1), call.layer(2), statistics,
                                       call.attribute<float>("epsilon", 1e-5F)))};
}

std::vector<Value> normalizedLayer(const Call& call) {
  const auto first = call.attribute<std::int64_t>("axis", -1);
  const double epsilon = call.attribute<float>("epsilon", 1e-5F);
  auto y = withShape(call.layer(0), [=](const TensorLayer& x, const Shape& shape) -> TensorLayer {
    std::vector<std::ptrdiff_t> axes;
    for (std::size_t axis = resolveAxis(first, shape, "LayerNormalization"); axis < shape.rank(); ++axis)
      axes.push_back(static_cast<std::ptrdiff_t>(axis));
    return layerNorm(x, kernels::Standardization{epsilon, Axes(axes)});
  });
  y = y * call.layer(1);
  if (call.has(2)) y = y + call.layer(2);
  return {y};
}

}  // namespace

void addActivations(Handlers& handlers) {
  using L = TensorLayer;
  handlers.insert(
      {{"Relu", unaryOf([](const L& x) { return relu(x); })},
       {"Sigmoid", unaryOf([](const L& x) { return sigmoid(x); })},
       {"Tanh", unaryOf([](const L& x) { return tanh(x); })},
       {"Softplus", unaryOf([](const L& x) { return softplus(x); })},
       {"Erf", unaryOf(erf)},
       {"Softmax",
        [](const Call& call) {
          return alongAxis(call, [](const L& x, std::int64_t axis) { return softmax(x, axis); });
        }},
       {"LogSoftmax",
        [](const Call& call) {
          return alongAxis(call, [](const L& x, std::int64_t axis) { return logSoftmax(x, axis); });
        }},
       {"LeakyRelu", leaky},
       {"PRelu", binaryOf([](const L& x, const L& slope) { return max(x, 0.0F) + slope * min(x, 0.0F); })},
       {"Elu", exponential},
       {"HardSigmoid", hard},
       {"Gelu", gaussian},
       {"Dropout", droppedOut},
       {"BatchNormalization", normalizedBatch},
       {"LayerNormalization", normalizedLayer}});
}

}  // namespace tapestry::onnx
