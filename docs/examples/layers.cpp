// The steps of the tutorial on layers, models and tables.
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace tapestry;

namespace {

// [model]
struct Classifier {
  Dense<> hidden;
  BatchNorm<> norm;
  Dense<> output;

  explicit Classifier(Generator& generator)
      : hidden(heNormal({2, 16}, generator)), norm(16), output(16, 2, generator) {}

  TensorLayer operator()(const Tensor<float>& x) const { return output(dropout(relu(norm(hidden(x))), 0.1)); }

  Weights weights() const { return {{"hidden", hidden}, {"norm", norm}, {"output", output}}; }
};
// [/model]

}  // namespace

int main() {
  // [optimize]
  Generator generator(7);
  const Classifier classify(generator);
  std::printf("%zu numbers\n", classify.weights().elements());
  classify.weights().setOptimizer(adam({.learningRate = 0.03}));
  classify.output.bias.setOptimizer(sgd(0.1));  // a separate optimizer
  // [/optimize]

  // [mode]
  const auto x = normal({32, 2}, 0, 1, generator);
  std::vector<std::uint32_t> labels;
  for (std::size_t i = 0; i < 32; ++i) labels.push_back(x(i, 0) * x(i, 1) > 0);
  for (int i = 0; i < 200; ++i) train(mean(crossEntropy(classify(x), labels))).blockingAwait();

  const auto logits = predict(classify(x)).blockingAwait();  // no dropout, and the running statistics
  int right = 0;
  for (std::size_t i = 0; i < 32; ++i) right += (logits(i, 1) > logits(i, 0)) == (labels[i] == 1);
  std::printf("%d\n", right > 28);
  // [/mode]

  // [micro]
  const std::vector<std::size_t> starts{0, 16};
  const auto lossOf = [&](std::size_t start) {
    const auto from = static_cast<std::ptrdiff_t>(start);
    const std::vector<std::uint32_t> some(labels.begin() + from, labels.begin() + from + 16);
    return mean(crossEntropy(classify(slice(x, {Slice{from, from + 16}})), some));
  };
  const auto losses = trainMicroBatches(starts, 1, lossOf).blockingAwait();
  std::printf("%zu losses, one step\n", losses.size());
  // [/micro]

  // [table]
  const TableWeight words(Table<float>(normal({10'000, 8}, 0, 1, generator)), adagrad({.learningRate = 0.1}),
                          hogwild);
  ThreadPool pool(2);
  std::vector<Do<double>> passes;
  for (std::int64_t i = 0; i < 100; ++i) {
    const auto rows = embedding(words, {i, 2 * i, 3 * i});
    passes.push_back(train(mean(rows * rows)));
  }
  parSequence(passes).blockingAwait(pool);
  // [/table]
}
