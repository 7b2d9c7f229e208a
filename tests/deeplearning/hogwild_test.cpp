#include <doctest/doctest.h>

#include <cstdint>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "support/error_text.hpp"
#include "support/networks/setting_rule.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/layout/embedding.hpp"
#include "tapestry/deeplearning/operations/layout/reshape.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/optimizers/adam.hpp"
#include "tapestry/deeplearning/optimizers/momentum.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/deeplearning/with_pass.hpp"
#include "tapestry/raii/do_tuple2.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

struct WaitingRule {
  std::shared_ptr<std::latch> latch;

  template <class V>
  struct State {
    std::uint64_t steps = 0;
    double seen = 0;
    static void parts(auto& state, const auto& f) {
      f("steps", state.steps);
      f("seen", state.seen);
    }
  };
  template <class V>
  V step(const V& weight, const V& gradient, State<V>& state) const {
    latch->arrive_and_wait();
    ++state.steps;
    state.seen += gradient;
    return weight - gradient;
  }
};

struct ReshapingRule {
  template <class V>
  struct State {};
  template <class V>
  V step(const V&, const V&, State<V>&) const {
    return V({1}, {0});
  }
};

/// Steps of a hogwild weight and of a usual one, one after the other, which must be the same.
template <class Data, class F>
void checkAlone(const Data& initial, const std::type_identity_t<Optimizer<Data>>& optimizer,
                const F& lossOf) {
  const Weight<Data> usual(initial, optimizer);
  const Weight<Data> racing(initial, optimizer, hogwild);
  for (int step = 0; step < 5; ++step) {
    train(lossOf(usual)).blockingAwait();
    train(lossOf(racing)).blockingAwait();
  }
  if constexpr (requires { initial.dense(); }) {
    for (std::size_t i = 0; i < initial.dense().size(); ++i)
      CHECK(racing.data().dense().data()[i] == doctest::Approx(usual.data().dense().data()[i]));
  } else {
    CHECK(sum(racing.data()) == doctest::Approx(sum(usual.data())));
  }
}

}  // namespace

TEST_CASE("alone, a hogwild weight is trained as any other") {
  const auto squares = [](const auto& w) { return sum(w * w); };
  checkAlone(Tensor<double>({3}, {1, 2, 3}), sgd(0.1), squares);
  checkAlone(Tensor<double>({3}, {1, 2, 3}), adam({.learningRate = 0.1}), squares);
  checkAlone(2.0, momentum({.learningRate = 0.1}), squares);
  const Table<double> rows(Tensor<double>({3, 2}, {1, 2, 3, 4, 5, 6}));
  const auto some = [](const auto& table) {
    const auto x = embedding(table, {2, 0, 2});
    return sum(x * x);
  };
  checkAlone(rows, sgd(0.1), some);
  checkAlone(rows, adam({.learningRate = 0.1}), some);
}

TEST_CASE("a pass on a hogwild weight sees the steps that others take meanwhile") {
  const TensorWeight w(Tensor<float>({1}, {5}), sgd(1), hogwild);
  const auto step = train(sum(w * 1.0f));
  const auto seen = withPass(forward(w).flatMap(
      [=](const auto& tape) { return step.map([data = tape.data](double) { return data.item(); }); }));
  CHECK(seen.blockingAwait() == 4);
}

TEST_CASE("tensors that a user sets as, or gets from, a hogwild weight do not change") {
  const Tensor<float> given({1}, {5});
  const TensorWeight w(given, sgd(1), hogwild);
  const auto before = w.data();
  train(sum(w * 1.0f)).blockingAwait();
  CHECK(given.item() == 5);
  CHECK(before.item() == 5);
  CHECK(w.data().item() == 4);
  w.setData(given);
  train(sum(w * 1.0f)).blockingAwait();
  CHECK(given.item() == 5);
}

TEST_CASE("steps of concurrent passes on different rows of a hogwild table are all there") {
  ThreadPool pool(4);
  const DoubleTableWeight table(Table<double>(Tensor<double>::zeros({8, 2})), sgd(1), hogwild);
  std::vector<Do<double>> branches;
  for (std::int64_t row = 0; row < 8; ++row) {
    // each row is one branch's own
    Do<double> branch = train(sum(embedding(table, {row})));
    for (int i = 1; i < 50; ++i)
      branch = branch.flatMap([=](double) { return train(sum(embedding(table, {row}))); });
    branches.push_back(branch);
  }
  parSequence(branches).blockingAwait(pool);
  CHECK(table.data().dense() == Tensor<double>::full({8, 2}, -50));
}

TEST_CASE("concurrent passes on all of a hogwild weight lose some steps at most, and tear nothing") {
  ThreadPool pool(4);
  const DoubleTensorWeight w(Tensor<double>::zeros({64}), sgd(1), hogwild);
  const DoubleWeight scalar(0.0, sgd(1), hogwild);
  std::vector<Do<double>> steps(200, train(sum(w * 1.0) + scalar));
  parSequence(steps).blockingAwait(pool);
  const auto data = w.data();
  for (const double x : data.values()) {
    CHECK(x == static_cast<double>(static_cast<int>(x)));
    CHECK(x <= -1);
    CHECK(x >= -200);
  }
  CHECK(scalar.data() == -200);
}

TEST_CASE("a pass that fails leaves a hogwild weight as it was") {
  const DoubleTensorWeight w(Tensor<double>::zeros({2}), sgd(1), hogwild);
  const DoubleLayer failing(
      Do<void>::raiseError(std::runtime_error("no")).flatMap([w] { return forward(sum(w * 1.0)); }));
  CHECK(errorOf([&] { train(sum(w * 1.0) + failing).blockingAwait(); }) == "no");
  CHECK(w.data() == Tensor<double>::zeros({2}));
}

TEST_CASE("the results of a pass on a hogwild weight are from before its step, and do not change") {
  const TensorWeight w(Tensor<float>({2}, {1, 2}), sgd(1), hogwild);
  const auto [loss, observed, row] = train(w, w, reshape(w, {1, 2})).blockingAwait();
  const auto predicted = predict(w).blockingAwait();
  train(w).blockingAwait();
  CHECK(loss == Tensor<float>({2}, {1, 2}));
  CHECK(observed == Tensor<float>({2}, {1, 2}));
  CHECK(row == Tensor<float>({1, 2}, {1, 2}));
  CHECK(predicted == Tensor<float>({2}, {0, 1}));
  CHECK(w.data() == Tensor<float>({2}, {-1, 0}));
}

TEST_CASE("steps of a hogwild weight do not wait for each other") {
  ThreadPool pool(2);
  // each of two steps waits until the other has begun
  const auto bothBegun = std::make_shared<std::latch>(2);
  const DoubleWeight w(0.0, WaitingRule{bothBegun}, hogwild);
  parSequence(std::vector<Do<double>>(2, train(w * 1.0))).blockingAwait(pool);
  CHECK(w.data() == -2);
}

TEST_CASE("when steps of a hogwild weight begin at once, the optimizer keeps the state of one") {
  ThreadPool pool(2);
  const DoubleWeight w(0.0, WaitingRule{std::make_shared<std::latch>(2)}, hogwild);
  parSequence(std::vector<Do<double>>{train(w * 1.0), train(w * 3.0)}).blockingAwait(pool);
  CHECK(w.data() == -4);
  const auto parts = w.node()->snapshot().second->parts().value();
  CHECK(std::get<std::uint64_t>(parts.at(0).second) == 1);
  const auto seen = std::get<double>(parts.at(1).second);
  CHECK((seen == 1 || seen == 3));
}

TEST_CASE("a value that a user sets while a hogwild weight's step is prepared stays") {
  const auto weight = std::make_shared<std::optional<DoubleTensorWeight>>();
  weight->emplace(Tensor<double>({1}, {1}),
                  SettingRule{[weight] { (*weight)->setData(Tensor<double>({1}, {100})); }}, hogwild);
  train(sum(**weight * 1.0)).blockingAwait();
  CHECK((*weight)->data().item() == 100);
  weight->reset();
}

TEST_CASE("a rule that changes the shape of its weight is refused, and nothing changes") {
  const char* const message = "tapestry::Optimizer: a rule has changed the shape, got [1], expected [2]";
  const DoubleTensorWeight usual(Tensor<double>({2}, {1, 2}), ReshapingRule());
  const DoubleTensorWeight racing(Tensor<double>({2}, {1, 2}), ReshapingRule(), hogwild);
  CHECK(errorOf([&] { train(usual).blockingAwait(); }) == message);
  CHECK(errorOf([&] { train(racing).blockingAwait(); }) == message);
  CHECK(usual.data() == racing.data());
  const DoubleTableWeight table(Table<double>(Tensor<double>({3, 2}, {1, 2, 3, 4, 5, 6})), ReshapingRule());
  CHECK(errorOf([&] { train(sum(embedding(table, {1}))).blockingAwait(); }) ==
        "tapestry::Optimizer: a rule has changed the shape, got [1], expected [1, 2]");
}

TEST_CASE("a hundred thousand hogwild weights are stepped without recursion") {
  std::vector<DoubleWeight> weights;
  for (int i = 0; i < 100'000; ++i) weights.emplace_back(1.0, sgd(1), hogwild);
  train(sum(weights)).blockingAwait();
  CHECK(weights.front().data() == 0);
  CHECK(weights.back().data() == 0);
}

TEST_CASE("a hogwild table that predict and train yield does not change") {
  const TableWeight table(Table<float>(Tensor<float>::full({2, 2}, 1)), sgd(1), hogwild);
  const auto predicted = predict(table).blockingAwait();
  const auto [loss, observed] = train(sum(embedding(table, {0})), table).blockingAwait();
  CHECK(predicted.dense() == Tensor<float>::full({2, 2}, 1));
  CHECK(observed.dense() == Tensor<float>::full({2, 2}, 1));
  CHECK(table.data().dense() == Tensor<float>({2, 2}, {0, 0, 1, 1}));
}
