#include <tapestry/deeplearning/layers/lstm.hpp>

#include <cmath>
#include <vector>

#include "deeplearning/layers/support.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// One step for one example, element by element.
void stepByHand(const Lstm<double>& lstm, const std::vector<double>& x, std::vector<double>& h,
                std::vector<double>& c) {
  const std::size_t units = h.size();
  const auto w = lstm.input.data();
  const auto u = lstm.recurrent.data();
  const auto b = lstm.bias.data();
  const auto before = h;
  for (std::size_t k = 0; k < units; ++k) {
    double z[4];
    for (std::size_t gate = 0; gate < 4; ++gate) {
      z[gate] = b(gate * units + k);
      for (std::size_t i = 0; i < x.size(); ++i) z[gate] += x[i] * w(i, gate * units + k);
      for (std::size_t i = 0; i < units; ++i) z[gate] += before[i] * u(i, gate * units + k);
    }
    c[k] = logistic(z[1]) * c[k] + logistic(z[0]) * std::tanh(z[2]);
    h[k] = logistic(z[3]) * std::tanh(c[k]);
  }
}

}  // namespace

TEST_CASE("an LSTM computes its formula, step by step") {
  Generator generator(4);
  const Lstm<double> lstm(3, 2, generator);
  lstm.bias.setData(normal<double>({8}, 0, 1, generator));
  std::vector<std::vector<double>> xs{{1, -1, 0.5}, {0, 2, 1}, {-1, 0.25, 3}};
  std::vector<Tensor<double>> sequence;
  std::vector<double> h(2);
  std::vector<double> c(2);
  for (const auto& x : xs) {
    stepByHand(lstm, x, h, c);
    sequence.emplace_back(Shape{1, 3}, x);
  }
  const auto states = lstm(sequence, lstm.initial(1));
  REQUIRE(states.size() == 3);
  const auto hidden = valueOf(states[2].hidden);
  const auto cell = valueOf(states[2].cell);
  CHECK(hidden.shape() == Shape{1, 2});
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(hidden(0, k) == doctest::Approx(h[k]).epsilon(1e-12));
    CHECK(cell(0, k) == doctest::Approx(c[k]).epsilon(1e-12));
  }
}

TEST_CASE("the gradients of an LSTM are the central differences, for any widths, batches and lengths") {
  checkLayers([](Random& random, Generator& generator) {
    const std::size_t inputs = 1 + random.below(3);
    const std::size_t batch = random.below(8) == 0 ? 0 : 1 + random.below(2);
    const std::size_t length = 1 + random.below(3);
    const Lstm<double> lstm(inputs, 1 + random.below(3), generator);
    const auto loss = [=](const auto& x) {
      const auto states = lstm(split(x, length, inputs, 1), lstm.initial(batch));
      return asLoss(states.back().hidden) * asLoss(states.front().cell) + asLoss(states.back().cell);
    };
    return DrawnLayer{lstm.weights(), loss, random.tensor<double>({batch, length * inputs})};
  });
}

TEST_CASE("an LSTM forgets little at first") {
  Generator generator(6);
  const Lstm<> lstm(2, 3, generator);
  const auto bias = lstm.bias.data();
  CHECK(bias == Tensor<float>({12}, {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0}));
  CHECK(lstm.weights().elements() == 4 * 3 * (2 + 3 + 1));
}
