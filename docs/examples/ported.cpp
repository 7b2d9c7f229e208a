// The network of the guide on models of PyTorch.
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

using namespace tapestry;

// [net]
struct Net {
  Conv2d<> conv;
  Dense<> fc1, fc2;

  explicit Net(Generator generator)
      : conv({.inputs = 1, .outputs = 4, .kernel = 3, .padding = 1}, generator),
        fc1(heNormal({4 * 4 * 4, 16}, generator)),
        fc2(16, 2, generator) {}

  TensorLayer operator()(const Tensor<float>& x) const {
    const auto seen = maxPool2d(relu(conv(x)), {.window = 2});
    const auto flat = reshape(seen, {x.shape()[0], 4 * 4 * 4});
    return fc2(dropout(relu(fc1(flat)), 0.2));
  }

  Weights weights() const { return {{"conv", conv}, {"fc1", fc1}, {"fc2", fc2}}; }
};
// [/net]

// [weights]
Net trainedNet(const std::filesystem::path& file) {
  Net net(Generator(1));  // all values are replaced
  load(file, net,
       {pytorch::conv2d("conv", "conv"), pytorch::linear("fc1", "fc1"), pytorch::linear("fc2", "fc2")});
  return net;
}
// [/weights]

// [norm]
TensorLayer groupNorm(const TensorLayer& x, const Shape& shape, std::size_t groups, const TensorWeight& gain,
                      const TensorWeight& bias) {
  const Shape grouped{shape[0], groups, shape[1] / groups * shape[2] * shape[3]};
  return reshape(layerNorm(reshape(x, grouped)), shape) * gain + bias;  // gain and bias are [channels, 1, 1]
}
// [/norm]

// [transposed]
TensorLayer convTranspose2d(const TensorLayer& x, const TensorWeight& w, const Shape& result,
                            const kernels::Convolution& how) {
  const auto operation = binaryOperation<"convTranspose2d", Keep::operands>(
      [=](const auto& a, const auto& b) { return kernels::convolveDerivativeLeft(a, result, b, how); },
      [=](const auto& delta, const auto&, const auto& b) { return kernels::convolve(delta, b, how); },
      [=](const auto& delta, const auto& a, const auto& b) {
        return kernels::convolveDerivativeRight(a, delta, b.shape(), how);
      });
  return operation(x, w);
}
// [/transposed]

// [detached]
/// The value of a layer or a weight of the same pass, as a constant: no delta flows back.
template <Differentiable X>
auto detached(const X& x) {
  using Constant = Layer<DataOf<X>>;
  return Constant(forward(x).flatMap([](const auto& tape) { return forward(Constant(tape.data)); }));
}
// [/detached]

// [switched]
/// Adam, which keeps weights and state as they are while *learns is false.
struct Switched {
  Adam rule;
  std::shared_ptr<const bool> learns;

  template <class V>
  using State = Adam::State<V>;

  template <class V>
  V step(const V& weight, V gradient, State<V>& state) const {
    return *learns ? rule.step(weight, std::move(gradient), state) : weight;
  }
};
// [/switched]

/// What PyTorch's save_file(net.state_dict(), path) writes for the same model, here by hand.
void writeStateDict(const std::filesystem::path& path, Generator generator) {
  const auto values = [&](const Shape& shape) { return normal(shape, 0, 0.1f, generator); };
  saveSafetensors(path, {{{"conv.weight", values({4, 1, 3, 3})},
                          {"conv.bias", values({4})},
                          {"fc1.weight", values({16, 64})},
                          {"fc1.bias", values({16})},
                          {"fc2.weight", Tensor<float>::full({2, 16}, 0)},
                          {"fc2.bias", Tensor<float>({2}, {0.25f, -0.25f})}},
                         {{"format", "pt"}}});
}

int main() {
  // [training]
  Generator generator(1);
  const Net net(generator);
  net.weights().setOptimizer(adam({.learningRate = 0.01}));
  const auto images = normal({16, 1, 8, 8}, 0, 1, generator);  // stands for a batch
  std::vector<std::uint32_t> labels;
  for (std::size_t i = 0; i < 16; ++i) labels.push_back(i % 2);
  const DoubleLayer loss = mean(crossEntropy(net(images), labels));
  for (int epoch = 0; epoch < 100; ++epoch) train(loss, clipByGlobalNorm(1)).blockingAwait();

  const Tensor<float> scores = predict(net(images)).blockingAwait();
  std::printf("%.2f of the batch\n", accuracy(scores, labels));
  // [/training]

  const std::filesystem::path file = "ported.safetensors";
  writeStateDict(file, generator);
  const Tensor<float> loaded = predict(trainedNet(file)(images)).blockingAwait();
  std::filesystem::remove(file);
  std::printf("%g %g\n", static_cast<double>(loaded(0, 0)), static_cast<double>(loaded(0, 1)));

  const Tensor<float> input({1, 4, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const TensorWeight ones(Tensor<float>::full({4, 1, 1}, 1)), zeros(Tensor<float>::zeros({4, 1, 1}));
  const Tensor<float> normalized = predict(groupNorm(input, input.shape(), 2, ones, zeros)).blockingAwait();
  for (const float y : normalized.values()) std::printf("%.4f\n", static_cast<double>(y));

  const TensorWeight filter(Tensor<float>({1, 1, 1, 2}, {1, 10}));
  const TensorWeight x(Tensor<float>({1, 1, 1, 2}, {1, 2}));
  const TensorLayer larger = convTranspose2d(TensorLayer(forward(x)), filter, {1, 1, 1, 4}, {.stride = 2});
  const Tensor<float> enlarged = predict(larger).blockingAwait();
  for (const float y : enlarged.values()) std::printf("%g\n", static_cast<double>(y));
  const auto result = gradients(sum(larger)).blockingAwait();
  std::printf("d/dw %g %g, d/dx %g %g\n", static_cast<double>(result.of(filter)(0, 0, 0, 0)),
              static_cast<double>(result.of(filter)(0, 0, 0, 1)),
              static_cast<double>(result.of(x)(0, 0, 0, 0)), static_cast<double>(result.of(x)(0, 0, 0, 1)));

  const DoubleWeight w(3);
  std::printf("%g\n", gradients(detached(w) * w).blockingAwait().of(w));
  const auto learns = std::make_shared<bool>(false);
  const Dense<> dense(1, 1, generator);
  const Weights weights = dense;
  weights.setOptimizer(Switched{adam({.learningRate = 0.5}), learns});
  const auto miss = sum(dense(Tensor<float>({1, 1}, {1})));
  const double before = train(miss).blockingAwait();
  std::printf("%d ", train(miss).blockingAwait() == before);
  *learns = true;
  train(miss).blockingAwait();
  std::printf("%d\n", predict(miss).blockingAwait() == before);
}
