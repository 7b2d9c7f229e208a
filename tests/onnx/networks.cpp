#include "onnx/networks.hpp"

#include "tapestry/deeplearning.hpp"

namespace tapestry::test {

namespace {

Generator generator(11);
const TensorLayer weight = detail::layerOf(TensorWeight(normal<float>({3, 3}, 0, 1, generator)));
const TensorLayer row = detail::layerOf(TensorWeight(normal<float>({1, 3}, 0, 1, generator)));
const Dense<> dense(3, 4, generator), narrow(4, 2, generator);
const LayerNorm<> normed{Shape{3}};
const Conv2d<> conv({.inputs = 2, .outputs = 4, .kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 0}},
                    generator);
const Conv2d<> grouped({.inputs = 4, .outputs = 4, .kernel = 2, .dilation = 2, .groups = 2}, generator);
const MultiHeadAttention<> attention({.width = 4, .heads = 2}, generator);
const Lstm<> lstm(3, 2, generator);
const Gru<> gru(3, 2, generator);
const Embedding<> embedding(5, 3, generator);

/// With statistics that differ from those of a new layer.
BatchNorm<> batchNorm() {
  BatchNorm<> layer(4);
  layer.gain.setData(uniform<float>({4}, 0.5, 1.5, generator));
  layer.bias.setData(normal<float>({4}, 0, 1, generator));
  layer.statistics.mean.setData(normal<float>({4}, 0, 1, generator));
  layer.statistics.variance.setData(uniform<float>({4}, 0.5, 2, generator));
  return layer;
}
const BatchNorm<> batch = batchNorm();

using L = TensorLayer;

std::vector<SomeNetwork> elementwise() {
  return {
      {"arithmetic", {2, 3}, [](const L& x) { return abs(x) * 2 - x / (x * x + 1.5F) + -x; }},
      {"functions", {2, 3}, [](const L& x) { return sqrt(abs(x)) + exp(x) + log(x * x + 1); }},
      {"waves and signs", {2, 3}, [](const L& x) { return sin(x) * cos(x) + sign(x); }, false},
      {"near one", {2, 3}, [](const L& x) { return log1p(x * x) + expm1(x) + pow(abs(x) + 0.5F, 1.5F); }},
      {"rectifiers", {2, 3}, [](const L& x) { return relu(x) + elu(x, 0.5) * leakyRelu(x, 0.1); }},
      {"sigmoids", {2, 3}, [](const L& x) { return sigmoid(x) * tanh(x) + softplus(x) + silu(x) + gelu(x); }},
      {"softmax", {2, 3}, [](const L& x) { return softmax(x) + softmax(x, 0) * logSoftmax(x, 1); }},
      {"bounds",
       {2, 3},
       [](const L& x) { return clamp(x, -0.5, 0.25) + max(x, weight(0, 1)) * min(x, 0.5F); },
       false},
      {"choice",
       {2, 3},
       [](const L& x) { return where(x > 0.1F, x * 2, x - 1) + where(x <= 0.1F, 1, 0); },
       false},
      {"comparisons",
       {2, 3},
       [](const L& x) { return (x < 0.3F) + (x >= 0.2F) * 2 + notEqual(x, x) + equal(x, x); },
       false},
      {"sum of layers",
       {2, 3},
       [](const L& x) {
         return mean(std::vector<L>{x, x * x, row * x});
       }},
      {"dropout", {2, 3}, [](const L& x) { return dropout(x * 2, 0.5); }}};
}

std::vector<SomeNetwork> losses() {
  const Tensor<float> target({2, 3}, {1, 0, 0, 0.25F, 0.25F, 0.5F});
  return {{"losses of numbers",
           {2, 3},
           [=](const L& x) {
             return x * mse(x, target) + huber(x, target, 0.5) * hinge(x, target) +
                    x * binaryCrossEntropyWithLogits(x, target);
           },
           false},
          {"losses of distributions", {2, 3}, [=](const L& x) { return x * crossEntropy(x, target); }, false},
          {"losses of labels",
           {2, 3},
           [](const L& x) {
             return x * softmaxCrossEntropy(x, {2, 0}) +
                    softmaxCrossEntropy(reshape(slice(x, {Slice{1}}), {3}), 1);
           },
           false}};
}

std::vector<SomeNetwork> reductions() {
  return {
      {"sums", {2, 3, 2}, [](const L& x) { return sum(x, {1}); }},
      {"all sums",
       {2, 3, 2},
       [](const L& x) {
         return sum(x, {1}) + sum(x, {0, 1}, true) + sum(x);
       },
       false},
      {"means", {2, 3, 2}, [](const L& x) { return mean(x * 2, {1}); }},
      {"all means", {2, 3, 2}, [](const L& x) { return mean(x, {1}, true) * x + mean(x); }, false},
      {"extremes", {2, 3, 2}, [](const L& x) { return max(x, {2}) - min(x, {2}); }},
      {"lengths", {2, 3}, [](const L& x) { return norm(x, {1}, true) + logSumExp(x, {1}, true); }, false}};
}

std::vector<SomeNetwork> layouts() {
  return {{"reshape",
           {2, 3, 2},
           [](const L& x) {
             return reshape(x, {4, 3});
           }},
          {"permute",
           {2, 3, 2},
           [](const L& x) {
             return permute(x, {2, 0, -2});
           }},
          {"transpose", {2, 3}, [](const L& x) { return transpose(x * 2); }},
          {"expandDims", {2, 3}, [](const L& x) { return expandDims(x, 1) * expandDims(x, -1); }, false},
          {"concat",
           {2, 3},
           [](const L& x) {
             return concat(std::vector<L>{x, x * 2, weight * 1}, 0);
           },
           false},
          {"slice",
           {4, 3},
           [](const L& x) {
             return slice(x, {Slice{1, -1}, Slice{.start = 1}});
           }},
          {"steps",
           {4, 3},
           [](const L& x) {
             return slice(x, {Slice{.step = -2}, Slice{.start = 2, .step = -1}});
           },
           false},
          {"split", {2, 6}, [](const L& x) { return split(x, 3, 2, 1)[1] * 2; }},
          {"pad",
           {1, 1, 2, 3},
           [](const L& x) {
             return pad(x * 2, {{0, 0}, {0, 0}, {1, 2}, {0, 1}}, 0.5);
           }},
          {"broadcastTo",
           {1, 3},
           [](const L& x) {
             return broadcastTo(x * 2, {2, 3});
           },
           false},
          {"gather",
           {2, 3},
           [](const L& x) {
             return gather(x * 2, Indices{2, 0, -1}, 1);
           },
           false},
          {"translate",
           {2, 3, 4},
           [](const L& x) {
             return translate(x * 2, {1, -4, 2}) + translate(x, {0});
           },
           false},
          {"scatter",
           {2, 3},
           [](const L& x) {
             return scatter(x * 2, Indices{2, -1, 2}, 1, 4) + scatter(x, Indices{1, 0}, 0, 2)(1, 2);
           },
           false},
          {"scatter of several axes",
           {2, 2, 3, 2},
           [](const L& x) {
             return scatter(x, Indices({2, 3}, {0, 1, 3, 3, -4, 0}), 1, 4);
           },
           false},
          {"element", {2, 3}, [](const L& x) { return x * x(1, -1); }, false}};
}

std::vector<SomeNetwork> products() {
  return {{"matmul", {2, 3}, [](const L& x) { return matmul(x, weight); }},
          {"transposed",
           {2, 3},
           [](const L& x) {
             return matmul(matmul(x, Transpose::no, weight, Transpose::yes), Transpose::yes, x * 2,
                           Transpose::no);
           },
           false},
          {"stacks",
           {2, 2, 3},
           [](const L& x) { return matmul(x, Transpose::no, x * 2, Transpose::yes); },
           false},
          {"vectors", {3}, [](const L& x) { return outer(x, x * 2) + dot(x, x * 2); }, false},
          {"einsum", {2, 3}, [](const L& x) { return einsum("ij,kj->ki", x, weight); }, false},
          {"dense layers", {2, 3}, [](const L& x) { return softmax(narrow(relu(dense(x)))); }},
          {"dense on sequences", {2, 2, 3}, [](const L& x) { return dense(x); }},
          {"layer norm", {2, 3}, [](const L& x) { return normed(x); }, false},
          {"attention", {2, 3, 4}, [](const L& x) { return attention(x, {.causal = true}); }, false},
          {"embedding",
           {2, 3},
           [](const L& x) {
             return embedding({4, 0}) * x;
           },
           false},
          {"lstm",
           {2, 3},
           [](const L& x) {
             return lstm(std::vector<L>{x, x * 2}, lstm.initial(2)).back().hidden;
           },
           false},
          {"gru",
           {2, 3},
           [](const L& x) {
             return gru(std::vector<L>{x, x * 2}, gru.initial(2)).back();
           },
           false}};
}

std::vector<SomeNetwork> images() {
  return {
      {"convolutions", {2, 2, 6, 5}, [](const L& x) { return grouped(relu(conv(x))); }},
      {"batch norm", {2, 2, 6, 5}, [](const L& x) { return relu(batch(conv(x))); }},
      {"batch norm of rows", {3, 4}, [](const L& x) { return batch(x * 2); }, false},
      {"max pooling",
       {1, 2, 6, 5},
       [](const L& x) {
         return maxPool2d(x, {.window = {2, 3}, .stride = 2, .padding = 1});
       }},
      {"average pooling", {1, 2, 6, 5}, [](const L& x) { return avgPool2d(x, {.window = 2, .padding = 1}); }},
      {"pooling of planes", {6, 4}, [](const L& x) { return maxPool2d(x, {.window = 2}); }},
      {"a small network for images", {1, 2, 6, 5}, [](const L& x) {
         const auto features = maxPool2d(relu(batch(conv(x))), {.window = 2});
         return softmax(mean(features, {2, 3}));
       }}};
}

}  // namespace

const std::vector<SomeNetwork>& someNetworks() {
  static const std::vector<SomeNetwork> all = [] {
    std::vector<SomeNetwork> made;
    for (const auto& family : {elementwise(), losses(), reductions(), layouts(), products(), images()})
      made.insert(made.end(), family.begin(), family.end());
    return made;
  }();
  return all;
}

Tensor<float> someInput(const Shape& shape) {
  auto tensor = Tensor<float>::uninitialized(shape);
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.exclusiveData()[i] = static_cast<float>(static_cast<int>((i * 37 + 20) % 101) - 50) / 50;
  return tensor;
}

}  // namespace tapestry::test
