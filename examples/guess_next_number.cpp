// Guesses the next number of a sequence: the first program of the paper "Monadic Deep Learning" (section 2).
#include <tapestry/deeplearning.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <iterator>
#include <numeric>
#include <optional>
#include <vector>

#include "support/options.hpp"
#include "support/random.hpp"
#include "support/text.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples;

struct Question {
  std::vector<double> sequence;
  double answer;
};

// The paper trains on the first two alone. They leave two equations for four unknowns, so that the answer
// would depend on where the weights started, from 50 to 80; and its learning rate would have to stay below
// 0.0008. The third one pins the answer to 45.
const std::array<Question, 3> trainingQuestions{{{{3, 4, 5}, 6}, {{13, 19, 25}, 31}, {{41, 39, 37}, 35}}};
const std::vector<double> testSequence{42, 43, 44};
constexpr double learningRate = 0.0002;
constexpr int iterations = 500;

// [network]
struct Network {
  explicit Network(Random& random) {
    const auto uniform = [&random] { return static_cast<double>(random.below(1'000'000)) / 1'000'000; };
    std::generate_n(std::back_inserter(weights), 3,
                    [&] { return DoubleWeight(uniform(), sgd(learningRate)); });
    bias.emplace(uniform(), sgd(learningRate));
  }

  /// Listing "guessNextNumber": the weighted sum of the sequence, by map and reduce, plus the bias.
  DoubleLayer guess(const std::vector<double>& sequence) const {
    std::vector<DoubleLayer> terms;
    std::ranges::transform(sequence, weights, std::back_inserter(terms), std::multiplies<>());
    return std::reduce(terms.begin() + 1, terms.end(), terms.front()) + *bias;
  }

  /// Listing "squareLoss".
  DoubleLayer squareLoss(const Question& question) const {
    const DoubleLayer difference = guess(question.sequence) - question.answer;
    return difference * difference;
  }

  std::vector<DoubleWeight> weights;
  std::optional<DoubleWeight> bias;
};
// [/network]

}  // namespace

int main(int argc, char** argv) {
  Options options("guess_next_number", "Learns to continue sequences such as 3, 4, 5 by one number.");
  return options.run(argc, argv, [&] {
    Random random(options.seed());
    const Network network(random);
    const auto guess = [&] { return predict(network.guess(testSequence)).blockingAwait(); };
    std::cout << "42 43 44 is followed, before training, by " << fixed(guess(), 3) << '\n';
    for (int i = 0; i < iterations; ++i)
      for (const Question& question : trainingQuestions) train(network.squareLoss(question)).blockingAwait();
    std::cout << "42 43 44 is followed, after training, by " << fixed(guess(), 3) << std::endl;
  });
}
