// Learns FizzBuzz from the numbers above 100, and plays it from 1 to 100.
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "support/options.hpp"
#include "support/progress.hpp"
#include "support/workers.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

constexpr std::size_t units = 64;
constexpr std::size_t batch = 32;

/// 0 for the number itself, 1 for Fizz, 2 for Buzz, 3 for both.
std::uint32_t classOf(int number) { return (number % 3 == 0 ? 1U : 0U) + (number % 5 == 0 ? 2U : 0U); }

std::string spoken(int number, std::uint32_t which) {
  return std::array<std::string, 4>{std::to_string(number), "Fizz", "Buzz", "FizzBuzz"}[which];
}

/// The thousands, hundreds, tens and ones of numbers: each [numbers, 10], 1 where it is that digit.
using Digits = std::vector<Tensor<float>>;

Digits digitsOf(const std::vector<int>& numbers) {
  Digits digits;
  for (const int unit : {1000, 100, 10, 1}) {
    auto rows = Tensor<float>::zeros({numbers.size(), 10});
    float* row = rows.exclusiveData();
    for (std::size_t i = 0; i < numbers.size(); ++i) row[10 * i + numbers[i] / unit % 10] = 1;
    digits.push_back(rows);
  }
  return digits;
}

// [network]
struct Network {
  std::function<TensorLayer(const Digits&)> answers;
  Weights weights;
  double learningRate, weightDecay;
};

/// Reads one digit after the other, as one divides by hand.
Network lstm(Generator generator) {
  const Lstm<> memory(10, units, generator);
  const Dense<> answer(units, 4, generator);
  const auto read = [=](const Digits& digits) {
    auto state = memory.initial(digits.front().shape()[0]);
    for (const auto& digit : digits) state = memory.step(digit, state);
    return answer(state.hidden);
  };
  return {read, {{"memory", memory}, {"answer", answer}}, 0.01, 0};
}

/// Reads all digits at once, and would memorise the training numbers if its weights did not decay.
Network mlp(Generator generator) {
  const Dense<> first(heNormal({40, 256}, generator));
  const Dense<> second(heNormal({256, 64}, generator));
  const auto layers =
      sequential(first, operations::relu, second, operations::relu, Dense<>(64, 4, generator));
  return {[=](const Digits& digits) {
            return layers(concat(std::vector<TensorLayer>(digits.begin(), digits.end()), 1));
          },
          layers.weights(), 0.005, 0.1};
}
// [/network]

/// The training data: 101 to 2000.
struct Lesson {
  std::size_t size() const { return 1900; }
  int get(std::size_t index) const { return 101 + static_cast<int>(index); }
};

/// Threads share the two halves of a batch, whose gradients have the same sum in either order.
void learn(const Network& network, std::size_t epochs, const Options& options) {
  const Batches batches(Lesson(), {.size = batch, .seed = options.seed()});
  network.weights.setOptimizer(
      adamW({.learningRate = cosineDecay({.initial = network.learningRate, .steps = epochs * batches.size()}),
             .weightDecay = network.weightDecay}));
  Progress progress({epochs, Lesson().size(), "numbers"});
  const Workers workers(options.threads());
  const auto lossOf = [&](const std::vector<int>& numbers) {
    std::vector<std::uint32_t> classes;
    std::ranges::transform(numbers, std::back_inserter(classes), classOf);
    return softmaxCrossEntropy(network.answers(digitsOf(numbers)), classes);
  };
  const auto step = [&](const std::vector<int>& numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    const std::vector<std::vector<int>> halves{{numbers.begin(), middle}, {middle, numbers.end()}};
    return trainMicroBatches(halves, halves.size(), lossOf, clipByGlobalNorm(1))
        .map([&progress, size = numbers.size()](const std::vector<double>& losses) {
          progress.advance(size, (losses[0] + losses[1]) / 2);
        });
  };
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    progress.startEpoch();
    workers.run(prefetchTraverse(batches.epoch(epoch), step));
    progress.finishEpoch();
  }
}

/// Prints the predictions from 1 to 100, and returns how many are right.
int play(const Network& network) {
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 1);
  const Indices answers = argmax(predict(network.answers(digitsOf(numbers))).blockingAwait(), 1);
  int right = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto answer = static_cast<std::uint32_t>(answers.values()[i]);
    right += answer == classOf(numbers[i]);
    std::cout << spoken(numbers[i], answer) << (numbers[i] % 10 == 0 ? '\n' : ' ');
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t epochs = 150;
  std::string kind = "lstm";
  Options options("fizzbuzz", "Learns FizzBuzz from the numbers above 100, and plays it from 1 to 100.");
  options.count("--epochs", epochs, "passes over the numbers from 101 to 2000")
      .choice("--network", kind, "recurrent, or of layers that see all digits at once", {"lstm", "mlp"});
  options.traced(tracePasses);
  return options.run(argc, argv, [&] {
    const Generator generator(options.seed());
    const Network network = kind == "lstm" ? lstm(generator) : mlp(generator);
    learn(network, epochs, options);
    const int right = play(network);
    std::cout << "right: " << right << " of 100" << std::endl;
  });
}
