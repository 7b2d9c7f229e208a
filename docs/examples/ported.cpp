// The network of the guide on models of PyTorch.
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <cstdint>
#include <cstdio>
#include <filesystem>
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
}
