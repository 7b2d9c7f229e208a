// A model that is written once, for tensors of the host and of a device.
#include <tapestry/compute.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace tapestry;

namespace {

// [model]
template <class X>
struct Classifier {
  Dense<X> hidden, output;

  template <class Place>
  Classifier(Generator generator, const Place& place)
      : hidden(2, 16, generator, place), output(16, 2, generator, place) {}

  Layer<X> operator()(const X& x) const { return output(tanh(hidden(x))); }

  Weights weights() const { return {{"hidden", hidden}, {"output", output}}; }
};
// [/model]

}  // namespace

int main() {
  // [place]
  const auto device = Device::open("opencl");
  const auto onDevice = [=](const Tensor<float>& x) { return DeviceTensor<float>(device, x); };
  Generator generator(7);
  const Classifier<DeviceTensor<float>> model(generator, onDevice);
  model.weights().setOptimizer(adam({.learningRate = 0.05}));
  // [/place]

  // [train]
  const auto x = normal({64, 2}, 0, 1, generator);
  std::vector<std::uint32_t> labels;
  for (std::size_t i = 0; i < 64; ++i) labels.push_back(x(i, 0) * x(i, 1) > 0);
  const auto points = onDevice(x);
  DeviceTensor<float> loss;
  for (int i = 0; i < 100; ++i) loss = train(crossEntropy(model(points), labels)).blockingAwait();
  std::printf("%d\n", loss.toHost().blockingAwait().item() < 0.2F);
  // [/train]

  // [predict]
  const auto logits = predict(model(points)).blockingAwait();
  const Indices chosen = argmax(logits, 1).blockingAwait();
  int right = 0;
  for (std::size_t i = 0; i < 64; ++i) right += chosen.values()[i] == labels[i];
  std::printf("%d\n", right > 58);
  // [/predict]

  // [look]
  const Weight<DeviceTensor<float>> w(onDevice({{3}, {1, 2, 3}}));
  const Layer<DeviceTensor<float>> total = sum(w * w);
  const auto limited = Layer<DeviceTensor<float>>(forward(total).flatMap([=](const auto& tape) {
    return tape.data.toHost().flatMap([=](const Tensor<float>& value) {
      return forward(value.item() > 10 ? Layer<DeviceTensor<float>>(total * 0.5F) : total);
    });
  }));
  std::printf("%g\n", predict(limited).blockingAwait().toHost().blockingAwait().item());
  // [/look]

  // [host]
  const auto onHost = [](const Tensor<float>& values) { return values; };
  const Classifier<Tensor<float>> copy(Generator(8), onHost);
  save("devices.safetensors", model);
  load("devices.safetensors", copy, {.optimizers = false});
  std::printf("%d\n", argmax(predict(copy(x)).blockingAwait(), 1) == chosen);
  // [/host]
  std::remove("devices.safetensors");

  // [errors]
  const auto small = Device::open("opencl", {.memoryLimit = 1'000'000});
  try {
    const DeviceTensor<float> large(small, Tensor<float>::zeros({1000, 1000}));
  } catch (const DeviceMemoryError& error) {
    std::puts(error.what());
  }
  // [/errors]

  // [finish]
  device.finish().blockingAwait();
  // [/finish]
}
