// Learns FizzBuzz from the numbers above 100, and plays it from 1 to 100.
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "support/options.hpp"
#include "support/progress.hpp"

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

/// The digit of each number that counts `unit`: [numbers, 10], 1 where it is that digit.
Tensor<float> digitsOf(const std::vector<int>& numbers, int unit) {
  auto rows = Tensor<float>::zeros({numbers.size(), 10});
  float* row = rows.exclusiveData();
  for (const int number : numbers) {
    row[number / unit % 10] = 1;
    row += 10;
  }
  return rows;
}

// [network]
/// Reads four digits, one after the other, as one divides by hand.
struct Network {
  Lstm<> memory;
  Dense<> answer;

  explicit Network(Generator generator) : memory(10, units, generator), answer(units, 4, generator) {}

  TensorLayer operator()(const std::vector<int>& numbers) const {
    auto state = memory.initial(numbers.size());
    for (const int unit : {1000, 100, 10, 1}) state = memory.step(digitsOf(numbers, unit), state);
    return answer(state.hidden);
  }

  Weights weights() const { return {{"memory", memory}, {"answer", answer}}; }
};
// [/network]

/// What it learns from: 101 to 2000.
struct Lesson {
  std::size_t size() const { return 1900; }
  int get(std::size_t index) const { return 101 + static_cast<int>(index); }
};

void learn(const Network& network, std::size_t epochs, std::uint64_t seed) {
  const Batches batches(Lesson(), {.size = batch, .seed = seed});
  network.weights().setOptimizer(
      adam({.learningRate = cosineDecay({.initial = 0.01, .steps = epochs * batches.size()})}));
  Progress progress({epochs, Lesson().size(), "numbers"});
  const auto step = [&](const std::vector<int>& numbers) {
    std::vector<std::uint32_t> classes;
    std::ranges::transform(numbers, std::back_inserter(classes), classOf);
    return train(softmaxCrossEntropy(network(numbers), classes), clipByGlobalNorm(1))
        .map([&progress, size = numbers.size()](double loss) { progress.advance(size, loss); });
  };
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    progress.startEpoch();
    prefetchTraverse(batches.epoch(epoch), step).blockingAwait();
    progress.finishEpoch();
  }
}

/// Says what it holds to be right from 1 to 100, and returns how often it is.
int play(const Network& network) {
  std::vector<int> numbers(100);
  std::iota(numbers.begin(), numbers.end(), 1);
  const Indices answers = argmax(predict(network(numbers)).blockingAwait(), 1);
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
  Options options("fizzbuzz", "Learns FizzBuzz from the numbers above 100, and plays it from 1 to 100.");
  options.count("--epochs", epochs, "passes over the numbers from 101 to 2000");
  return options.run(argc, argv, [&] {
    const Network network(Generator(options.seed()));
    learn(network, epochs, options.seed());
    const int right = play(network);
    std::cout << "right: " << right << " of 100" << std::endl;
  });
}
