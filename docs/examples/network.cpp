// The steps of the tutorial on networks.
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace tapestry;

int main() {
  // [weights]
  TensorWeight weight(Tensor<float>({2, 2}, {0.5f, -0.5f, -0.5f, 0.5f}), adam({.learningRate = 0.1}));
  TensorWeight bias(Tensor<float>::zeros({2}), adam({.learningRate = 0.1}));
  auto network = [&](const Tensor<float>& x) { return matmul(tanh(x), weight) + bias; };
  // [/weights]

  // [train]
  struct Example {
    Tensor<float> x;
    std::uint32_t label;
  };
  const std::vector<Example> examples{{Tensor<float>({2}, {2, -1}), 1}, {Tensor<float>({2}, {-1, 2}), 0}};
  ThreadPool pool(2);
  double loss = 0;
  for (int i = 0; i < 100; ++i) {
    std::vector<DoubleLayer> losses;  // each is a separate network; they run in parallel
    for (const auto& [x, label] : examples) losses.push_back(softmaxCrossEntropy(network(x), label));
    loss = train(mean(losses)).blockingAwait(pool);
  }
  std::printf("learnt: %d\n", loss < 0.05);
  // [/train]

  // [optimizers]
  DoubleWeight slope(0, chain(weightDecay(1e-4), nesterov({.learningRate = warmUp(10, 0.02)})));
  DoubleWeight offset(0, chain(clipByValue(1), l2(1e-3), sgd(stepDecay({.initial = 0.1, .every = 100}))));
  const auto error = slope * 2.0 + offset - 3.0;
  for (int i = 0; i < 300; ++i) train(error * error, clipByGlobalNorm(5)).blockingAwait();
  std::printf("%.1f\n", predict(slope * 2.0 + offset).blockingAwait());
  // [/optimizers]

  // [derivatives]
  DoubleWeight w(2.0);
  const auto result = gradients(w * w * w + 5.0 * w).blockingAwait();
  std::printf("%g %g\n", result.loss, result.of(w));
  // [/derivatives]

  // [structures]
  const DoubleWeight height(3);
  const auto [area, sides] = predict(w * height, std::pair(2 * w, 2 * height)).blockingAwait();
  std::printf("%g %g\n", area, sides.first + sides.second);
  // [/structures]

  // [predict]
  const Tensor<float> logits = predict(network(examples[0].x)).blockingAwait();
  std::printf("%d\n", logits(1) > logits(0));
  // [/predict]

  // [choice]
  DoubleWeight rising(1, sgd(0.1)), falling(1, sgd(0.1));
  const auto turn = [&](double x) {
    return DoubleLayer(forward(slope * x).flatMap([&, x](const auto& tape) {
      return forward(tape.data > 0 ? rising * x : falling * x);  // slope is near 1.5
    }));
  };
  train(turn(1.0)).blockingAwait();
  std::printf("%g %g\n", rising.data(), falling.data());
  // [/choice]
}
