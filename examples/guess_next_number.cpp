// Guesses the next number of a sequence: the first program of the paper "Monadic Deep Learning" (section 2).
#include <tapestry/deeplearning.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <vector>

#include "support/options.hpp"
#include "support/progress.hpp"
#include "support/random.hpp"
#include "support/text.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

struct Question {
  std::vector<double> sequence;
  double expectedAnswer;
};

// The paper trains on the first two alone. They leave two equations for four unknowns, so that the answer
// would depend on where the weights started, from 50 to 80; and its learning rate would have to stay below
// 0.0008. The third one pins the answer to 45.
const std::array<Question, 3> questions{{{{3, 4, 5}, 6}, {{13, 19, 25}, 31}, {{41, 39, 37}, 35}}};
const std::vector<double> testSequence{42, 43, 44};
constexpr double learningRate = 0.0002;
constexpr std::size_t iterations = 500;

struct Network {
  explicit Network(Random& random)
      : weights{drawn(random), drawn(random), drawn(random)}, bias(drawn(random)) {}

  static DoubleWeight drawn(Random& random) {
    return DoubleWeight(static_cast<double>(random.below(1'000'000)) / 1'000'000, sgd(learningRate));
  }

  /// The weighted sum of the sequence, by map and reduce, plus the bias.
  DoubleLayer guessNextNumber(const std::vector<double>& sequence) const {
    std::vector<DoubleLayer> terms;
    std::ranges::transform(sequence, weights, std::back_inserter(terms), std::multiplies<>());
    return std::reduce(terms.begin() + 1, terms.end(), terms.front()) + bias;
  }

  DoubleLayer linearRegression(const std::vector<double>& sequence, double expectedAnswer) const {
    return squareLoss(guessNextNumber(sequence), expectedAnswer);
  }

  static DoubleLayer squareLoss(const DoubleLayer& robotAnswer, double expectedAnswer) {
    const DoubleLayer difference = robotAnswer - expectedAnswer;
    return difference * difference;
  }

  std::vector<DoubleWeight> weights;
  DoubleWeight bias;
};

}  // namespace

int main(int argc, char** argv) {
  Options options("guess_next_number", "Learns to continue sequences such as 3, 4, 5 by one number.");
  options.unused("--threads", "each step waits for the one before it, and is too small to share");
  options.traced(tracePasses);
  return options.run(argc, argv, [&] {
    Random random(options.seed());
    const Network network(random);
    Progress progress({1, iterations * questions.size(), "questions"});
    // [training]
    // Listings "predict", "train" and "predict_trained".
    const auto guess = [&] { return predict(network.guessNextNumber(testSequence)).blockingAwait(); };
    std::cout << "42 43 44 is followed, before training, by " << fixed(guess(), 3) << '\n';
    progress.startEpoch();
    for (std::size_t i = 0; i < iterations; ++i)
      for (const auto& [sequence, expectedAnswer] : questions)
        progress.advance(1, train(network.linearRegression(sequence, expectedAnswer)).blockingAwait());
    progress.finishEpoch();
    std::cout << "42 43 44 is followed, after training, by " << fixed(guess(), 3) << std::endl;
    // [/training]
  });
}
