#include <stdexcept>

#include <tapestry/deeplearning/operations/layout/broadcast_to.hpp>
#include <tapestry/deeplearning/predict.hpp>
#include <tapestry/onnx/import_onnx.hpp>

#include "content.hpp"

namespace tapestry {

const std::vector<OnnxInput>& OnnxNetwork::inputs() const noexcept { return content_->inputs; }
const std::vector<std::string>& OnnxNetwork::outputs() const noexcept { return content_->outputs; }

Weights OnnxNetwork::weights() const { return Weights(content_->weights); }

TensorLayer OnnxNetwork::single(const TensorLayer& x) const {
  if (outputs().size() != 1)
    throw std::invalid_argument("tapestry::OnnxNetwork: not one output, got " +
                                std::to_string(outputs().size()) + ", expected 1 (or call all)");
  return all({x}).front();
}

std::vector<TensorLayer> OnnxNetwork::all(const std::vector<OnnxValue>& given) const {
  requireInputs(given);
  return content_->build(given);
}

OnnxLayers OnnxNetwork::layers(const std::vector<OnnxValue>& given) const {
  requireInputs(given);
  OnnxLayers made;
  made.outputs = content_->build(given, &made.choices);
  return made;
}

void OnnxNetwork::requireInputs(const std::vector<OnnxValue>& given) const {
  const auto& expected = inputs();
  if (given.size() != expected.size())
    throw std::invalid_argument("tapestry::OnnxNetwork: another number of inputs, got " +
                                std::to_string(given.size()) + ", expected " +
                                std::to_string(expected.size()));
  for (std::size_t i = 0; i < given.size(); ++i)
    if (std::holds_alternative<Indices>(given[i]) != expected[i].indices)
      throw std::invalid_argument(
          "tapestry::OnnxNetwork: input \"" + expected[i].name + "\": got " +
          (expected[i].indices ? "numbers, expected Indices" : "Indices, expected numbers"));
}

OnnxNetwork importOnnx(const std::filesystem::path& path) {
  return OnnxNetwork(std::make_shared<const OnnxNetwork::Content>(path, onnx::readModel(path, "importOnnx")));
}

std::vector<std::optional<Shape>> onnx::shapesOfOutputs(const Model& model, const std::vector<Shape>& inputs,
                                                        bool evaluates) {
  const OnnxNetwork::Content content("the network", model);
  std::vector<OnnxValue> values;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (content.inputs[i].indices)
      values.emplace_back(Indices(inputs[i], std::vector<std::int64_t>(inputs[i].size())));
    else
      values.emplace_back(TensorLayer(broadcastTo(Tensor<float>::scalar(0), inputs[i])));
  const auto outputs = content.build(values);
  std::vector<std::optional<Shape>> shapes;
  for (const auto& output : outputs) {
    const Shape* const known = output.node()->knownShape();
    shapes.push_back(known ? std::optional(*known) : std::nullopt);
  }
  if (evaluates)
    for (std::size_t i = 0; const auto& data : predict(outputs).blockingAwait()) shapes[i++] = data.shape();
  return shapes;
}

}  // namespace tapestry
