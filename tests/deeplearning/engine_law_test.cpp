// The engine's node equals its composition from Do, flatMap and shared, as the paper writes it (section 5).
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "support/networks/evaluations.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::Evaluations;

namespace {

using Scalar = Tape<double, double>;

struct Counts {
  int forwards = 0;
  int backwards = 0;
};

/// A network as a program that yields its tape, made of nothing but Do.
using Pure = Do<Scalar>;

/// One evaluation for all who use it meanwhile.
Pure shared(const Pure& program) {
  return program.shared().map([](const Handle<Scalar>& handle) { return *handle; });
}

/// A place where deltas add up.
using Sum = std::shared_ptr<std::optional<double>>;

Scalar accumulating(double data, const Sum& sum) {
  return {data, [sum](const Do<double>& delta) {
            return delta.attempt().run().acquire().map(
                [sum](const auto& acquired) { *sum = sum->value_or(0) + acquired.value.get().get(); });
          }};
}

Pure pureWeight(double data, const Sum& sum) {
  return Pure::delay([=] { return accumulating(data, sum); });
}

/// Operands, then the data, and, when all users have left, the accumulated delta to each operand.
template <class F, class G>
Pure operation(Counts& counts, const Pure& a, const Pure& b, F forwardOf, G derivatives) {
  return shared(
      tuple2(a, b).flatMap([&counts, forwardOf, derivatives](const std::tuple<Scalar, Scalar>& operands) {
        const auto sum = std::make_shared<std::optional<double>>();
        const auto open = Pure::delay([&counts, operands, forwardOf, sum] {
          ++counts.forwards;
          const auto& [x, y] = operands;
          return accumulating(forwardOf(x.data, y.data), sum);
        });
        return resource(open, [&counts, operands, derivatives, sum](const Scalar& z) -> Do<void> {
          if (!*sum) return Do<void>::now();
          ++counts.backwards;
          const auto& [x, y] = operands;
          const auto [dx, dy] = derivatives(**sum, x.data, y.data, z.data);
          return Do<void>::lift(x.backward(Do<double>::now(dx))).flatMap([y, delta = dy] {
            return Do<void>::lift(y.backward(Do<double>::now(delta)));
          });
        });
      }));
}

/// The same network twice: for the engine, and as its composition.
class Twins {
 public:
  struct Twin {
    DoubleLayer layer;
    Pure pure;
  };

  Twins(unsigned seed, int size) : random_(seed) {
    for (int i = 0; i < 3; ++i) {
      const double value = std::uniform_real_distribution<>(-1, 1)(random_);
      weights.emplace_back(value, sgd(1));
      sums.push_back(std::make_shared<std::optional<double>>());
      twins_.push_back({weights.back() + 0.0, pureWeight(value, sums.back())});
    }
    while (static_cast<int>(twins_.size()) < size) twins_.push_back(make());
    root = std::make_unique<Twin>(twins_.back());
  }

  std::vector<DoubleWeight> weights;
  std::vector<Sum> sums;
  std::unique_ptr<Twin> root;
  Evaluations engine;
  Counts composition;

 private:
  Twin make() {
    const Twin a = any();
    const Twin b = any();
    switch (random_() % 4) {
      case 0:
        return {engine(a.layer + b.layer),
                operation(
                    composition, a.pure, b.pure, [](double x, double y) { return x + y; },
                    [](double delta, double, double, double) { return std::pair(delta, delta); })};
      case 1:
        return {
            engine(a.layer * b.layer),
            operation(
                composition, a.pure, b.pure, [](double x, double y) { return x * y; },
                [](double delta, double x, double y, double) { return std::pair(delta * y, delta * x); })};
      case 2:
        return {
            engine(tanh(a.layer)),
            operation(
                composition, a.pure,
                Pure::now(Scalar(0, [](const Do<double>&) { return UnitContinuation<void>(now()); })),
                [](double x, double) { return std::tanh(x); },
                [](double delta, double, double, double z) { return std::pair(delta * (1 - z * z), 0.0); })};
      default:
        return choice(a, b, any());
    }
  }

  /// One of two, by the value of a third.
  static Twin choice(const Twin& a, const Twin& b, const Twin& by) {
    return {DoubleLayer(forward(by.layer).flatMap(
                [a, b](const Scalar& tape) { return tape.data > 0 ? forward(a.layer) : forward(b.layer); })),
            shared(by.pure.flatMap([a, b](const Scalar& tape) { return tape.data > 0 ? a.pure : b.pure; }))};
  }

  /// More often one of the last, so that the graph gets deep.
  Twin any() {
    const auto size = twins_.size();
    const auto range = random_() % 2 ? std::min<std::size_t>(size, 4) : size;
    return twins_[size - 1 - random_() % range];
  }

  std::mt19937 random_;
  std::vector<Twin> twins_;
};

/// The value of a composition; what flows back is left in the sums.
double evaluate(const Pure& pure) {
  return pure
      .flatMap([](const Scalar& tape) {
        return Do<void>::lift(tape.backward(Do<double>::now(1))).map([data = tape.data] { return data; });
      })
      .blockingAwait();
}

bool close(double x, double y) { return std::abs(x - y) <= 1e-9 * std::max({1.0, std::abs(x), std::abs(y)}); }

}  // namespace

TEST_CASE("values, gradients and evaluations on random graphs are those of the composition from Do") {
  ThreadPool pool(2);
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Twins twins(seed, 4 + static_cast<int>(seed % 20));
    const double expected = evaluate(twins.root->pure);
    const auto actual = seed % 2 ? gradients(twins.root->layer).blockingAwait()
                                 : gradients(twins.root->layer).blockingAwait(pool);
    CHECK(close(actual.loss, expected));
    CHECK(twins.engine.forwards() == twins.composition.forwards);
    CHECK(twins.engine.backwards() == twins.composition.backwards);
    for (std::size_t i = 0; i < twins.weights.size(); ++i)
      CHECK(close(actual.of(twins.weights[i]), twins.sums[i]->value_or(0)));
    twins.engine.reset();
    CHECK(close(predict(twins.root->layer).blockingAwait(), expected));
    CHECK(twins.engine.forwards() == twins.composition.forwards);
  }
}
