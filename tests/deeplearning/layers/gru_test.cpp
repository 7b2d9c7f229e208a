#include <tapestry/deeplearning/layers/gru.hpp>

#include <cmath>
#include <vector>

#include "deeplearning/layers/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

double logisticOf(double x) { return 1 / (1 + std::exp(-x)); }

/// One step for one example, element by element.
std::vector<double> gruByHand(const Gru<double>& gru, const std::vector<double>& x,
                              const std::vector<double>& h) {
  const std::size_t units = h.size();
  const auto w = gru.input.data();
  const auto u = gru.recurrent.data();
  const auto b = gru.bias.data();
  const auto d = gru.recurrentBias.data();
  std::vector<double> next(units);
  for (std::size_t k = 0; k < units; ++k) {
    double fromX[3];
    double fromH[3];
    for (std::size_t gate = 0; gate < 3; ++gate) {
      fromX[gate] = b(gate * units + k);
      fromH[gate] = d(gate * units + k);
      for (std::size_t i = 0; i < x.size(); ++i) fromX[gate] += x[i] * w(i, gate * units + k);
      for (std::size_t i = 0; i < units; ++i) fromH[gate] += h[i] * u(i, gate * units + k);
    }
    const double r = logisticOf(fromX[0] + fromH[0]);
    const double z = logisticOf(fromX[1] + fromH[1]);
    const double n = std::tanh(fromX[2] + r * fromH[2]);
    next[k] = (1 - z) * n + z * h[k];
  }
  return next;
}

}  // namespace

TEST_CASE("a GRU computes its formula, step by step") {
  Generator generator(4);
  const Gru<double> gru(3, 2, generator);
  gru.bias.setData(normal<double>({6}, 0, 1, generator));
  gru.recurrentBias.setData(normal<double>({6}, 0, 1, generator));
  const std::vector<std::vector<double>> xs{{1, -1, 0.5}, {0, 2, 1}};
  std::vector<Tensor<double>> sequence;
  std::vector<double> h(2);
  for (const auto& x : xs) {
    h = gruByHand(gru, x, h);
    sequence.emplace_back(Shape{1, 3}, x);
  }
  const auto states = gru(sequence, gru.initial(1));
  REQUIRE(states.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) CHECK(valueOf(states[1])(0, k) == doctest::Approx(h[k]).epsilon(1e-12));
}

TEST_CASE("the gradients of a GRU are the central differences, for any widths, batches and lengths") {
  checkLayers([](Random& random, Generator& generator) {
    const std::size_t inputs = 1 + random.below(3);
    const std::size_t batch = random.below(8) == 0 ? 0 : 1 + random.below(2);
    const std::size_t length = 1 + random.below(3);
    const Gru<double> gru(inputs, 1 + random.below(3), generator);
    const auto loss = [=](const auto& x) {
      const auto states = gru(split(x, length, inputs, 1), gru.initial(batch));
      return asLoss(states.back()) * asLoss(states.front()) + asLoss(states.back());
    };
    return DrawnLayer{gru.weights(), loss, random.tensor<double>({batch, length * inputs})};
  });
}
