#include <tapestry/deeplearning/operations/activation/log_softmax.hpp>
#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>
#include <tapestry/deeplearning/operations/arithmetic/negate.hpp>
#include <tapestry/deeplearning/operations/arithmetic/where.hpp>
#include <tapestry/deeplearning/operations/layout/gather.hpp>
#include <tapestry/deeplearning/operations/layout/reshape.hpp>
#include <tapestry/deeplearning/operations/reduction/mean.hpp>
#include <tapestry/deeplearning/operations/reduction/sum.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

#include "call.hpp"

namespace tapestry::onnx {

namespace {

/// What a loss is computed of, beside the logarithms of the probabilities.
struct Classes {
  Integers labels;
  std::optional<Tensor<float>> weights;  ///< of the classes
  std::optional<std::int64_t> ignored;   ///< a label that does not count
};

/// The place of each label's probability among all, and what it counts.
struct Chosen {
  Indices places;
  Tensor<float> counts;
};

/// The shape of the labels for probabilities [N, classes, ...].
Shape labelShape(const Place& place, const Shape& shape) {
  if (shape.rank() < 2)
    place.fail("no classes, got probabilities " + toString(shape) + ", expected [N, classes, ...]");
  std::vector<std::size_t> extents(shape.begin(), shape.end());
  extents.erase(extents.begin() + 1);
  return Shape(extents);
}

Chosen chosenOf(const Place& place, const Classes& from, const Shape& shape) {
  const auto& [labels, weights, ignored] = from;
  const Shape expected = labelShape(place, shape);
  if (labels.shape != expected)
    place.fail("labels of another shape, got " + toString(labels.shape) + ", expected " + toString(expected));
  const auto classes = static_cast<std::int64_t>(shape[1]);
  if (weights && weights->shape() != Shape{shape[1]})
    place.fail("weights of another shape, got " + toString(weights->shape()) + ", expected [" +
               std::to_string(classes) + "]");
  const std::size_t columns = shape[0] > 0 ? expected.size() / shape[0] : 1;
  std::vector<std::int64_t> places;
  auto counts = Tensor<float>::zeros(expected);
  float* const count = counts.exclusiveData();
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    const std::int64_t label = labels.values[i] == ignored ? 0 : labels.values[i];
    if (label < 0 || label >= classes)
      place.fail("no class, got the label " + std::to_string(label) + ", expected one of " +
                 std::to_string(classes) + " classes");
    const std::size_t row = i / columns * shape[1] + static_cast<std::size_t>(label);
    places.push_back(static_cast<std::int64_t>(row * columns + i % columns));
    if (labels.values[i] != ignored) count[i] = weights ? weights->data()[label] : 1.0F;
  }
  return {Indices(expected, std::move(places)), std::move(counts)};
}

/// -log(probability) of each label, reduced; `x` has the logarithms of the probabilities.
TensorLayer likelihoodLoss(const Call& call, const TensorLayer& x) {
  const auto reduction = call.attribute<std::string>("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean")
    call.fail("the reduction is not known, got " + excerpt(reduction) +
              ", expected \"none\", \"sum\" or \"mean\"");
  Classes classes{call.integers(1), std::nullopt, std::nullopt};
  if (call.has(2)) classes.weights = call.constant(2);
  if (call.hasAttribute("ignore_index")) classes.ignored = call.attribute<std::int64_t>("ignore_index");
  return withShape(x, [=, place = call.place()](const TensorLayer& all, const Shape& shape) -> TensorLayer {
    const Chosen chosen = chosenOf(place, classes, shape);
    TensorLayer losses = -gather(reshape(all, Shape{shape.size()}), chosen.places);
    const bool alike = !classes.weights && !classes.ignored;
    // what does not count may be infinite
    if (!alike) losses = where(TensorLayer(chosen.counts), losses * chosen.counts, 0.0F);
    if (reduction == "none") return losses;
    if (reduction == "mean" && alike) return mean(losses, Axes::all());
    const TensorLayer total = sum(losses, Axes::all());
    return reduction == "sum" ? total : TensorLayer(total * (1 / kernels::sum(chosen.counts)));
  });
}

std::vector<Value> likelihood(const Call& call) { return {likelihoodLoss(call, call.layer(0))}; }

std::vector<Value> crossEntropy(const Call& call) {
  const TensorLayer logarithms = logSoftmax(call.layer(0), 1);
  return {likelihoodLoss(call, logarithms), logarithms};
}

}  // namespace

void addLosses(Handlers& handlers) {
  handlers.insert({{"NegativeLogLikelihoodLoss", likelihood}, {"SoftmaxCrossEntropyLoss", crossEntropy}});
}

}  // namespace tapestry::onnx
