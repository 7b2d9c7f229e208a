// The examples of the article that leads to the paper's design in six schemes: LAD regression, and a diamond
// that is made while it runs; with their forwards, backwards and releases.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <memory>

#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

class ReleaseCounter final : public PassObserver {
 public:
  std::atomic<std::size_t> releases{0};
  void observe(Event event, std::string_view, const void*) noexcept override {
    releases += event == Event::release;
  }
};

/// The number of releases in one pass, which changes nothing.
std::size_t releasesOf(const DoubleLayer& loss) {
  const auto counter = std::make_shared<ReleaseCounter>();
  observed(gradients(loss), counter).blockingAwait();
  return counter->releases;
}

DoubleLayer leastAbsoluteDeviation(double expected, double x, const DoubleWeight& w) {
  return abs(expected - x * w);
}

/// Calls `forward` three times, on layers that it chooses by the values so far, and releases nothing by hand.
DoubleLayer articleDiamond(double x, const DoubleWeight& w) {
  const DoubleLayer middle = x * w;
  return DoubleLayer(forward(middle + 1).flatMap([=](const Tape<double, double>& left) {
    const DoubleLayer other = left.data > 0 ? middle * middle : -middle;
    return forward(other).flatMap([=](const Tape<double, double>& right) {
      return forward(right.data > left.data ? middle * other : middle + other);
    });
  }));
}

}  // namespace

TEST_CASE("article: LAD regression runs each layer forward and backward once, and releases it") {
  const DoubleWeight w(1.0, sgd(0.5));
  const auto loss = leastAbsoluteDeviation(10, 2, w);
  CHECK(releasesOf(loss) == 3);
  const auto [value, counts] = countPass(train(loss)).blockingAwait();
  CHECK(value == 8);
  CHECK(w.data() == 2);
  CHECK(counts.forwards == 3);
  CHECK(counts.backwards == 3);
  CHECK(counts.steps == 1);
}

TEST_CASE("article: LAD regression arrives where there is no deviation, and stays") {
  const DoubleWeight w(1.0, sgd(0.5));
  for (int i = 0; i < 10; ++i) train(leastAbsoluteDeviation(10, 2, w)).blockingAwait();
  CHECK(w.data() == 5);
  CHECK(predict(leastAbsoluteDeviation(10, 2, w)).blockingAwait() == 0);
}

TEST_CASE("article: LAD regression finds a line in spite of an outlier") {
  const DoubleWeight slope(0.0, sgd(0.01));
  const DoubleWeight offset(0.0, sgd(0.01));
  constexpr std::array<std::array<double, 2>, 6> points{
      {{-2, -5}, {-1, -3}, {0, -1}, {1, 1}, {2, 3}, {3, 100}}};
  for (int i = 0; i < 1'000; ++i)
    for (const auto& [x, y] : points) train(abs(y - (x * slope + offset))).blockingAwait();
  CHECK(slope.data() == doctest::Approx(2).epsilon(0.05));
  CHECK(offset.data() == doctest::Approx(-1).epsilon(0.1));
}

TEST_CASE(
    "article: a diamond that is made while it runs passes each layer once, and releases all it has "
    "acquired") {
  const DoubleWeight w(2.0, sgd(1));
  const auto loss = articleDiamond(3, w);
  // middle * (middle * middle) at 6; beside it middle, its square, middle + 1, and the program
  CHECK(releasesOf(loss) == 5);
  const auto [value, counts] = countPass(train(loss)).blockingAwait();
  CHECK(value == 216);
  CHECK(w.data() == 2 - 3 * 36 * 3);
  CHECK(counts.forwards == 5);
  CHECK(counts.backwards == 4);  // middle + 1 was only looked at
  CHECK(counts.steps == 1);
}

TEST_CASE("article: the diamond takes the other way at another weight") {
  const DoubleWeight w(-2.0);
  const auto loss = articleDiamond(3, w);
  const auto [result, counts] = countPass(gradients(loss)).blockingAwait();
  // middle * -middle at -6
  CHECK(result.loss == -36);
  CHECK(result.of(w) == 36);
  CHECK(counts.forwards == 5);
  CHECK(releasesOf(loss) == 5);
}
