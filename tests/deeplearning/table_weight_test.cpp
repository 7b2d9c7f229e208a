#include <tapestry/deeplearning/table_weight.hpp>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "deeplearning/unlisted_state.hpp"
#include "support/error_text.hpp"
#include "support/networks/finite_differences.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/operations/arithmetic/sqrt.hpp"
#include "tapestry/deeplearning/operations/layout/embedding.hpp"
#include "tapestry/deeplearning/operations/layout/gather.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/optimizers/adagrad.hpp"
#include "tapestry/deeplearning/optimizers/adam.hpp"
#include "tapestry/deeplearning/optimizers/l2.hpp"
#include "tapestry/deeplearning/optimizers/momentum.hpp"
#include "tapestry/deeplearning/optimizers/weight_decay.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/deeplearning/with_pass.hpp"
#include "tapestry/raii/do_tuple2.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

const Shape tableShape{6, 3};

Tensor<double> initialRows() {
  Generator generator(1);
  return normal<double>(tableShape, 0, 1, generator);
}

/// A loss whose gradient differs for each element and each step.
template <class X>
DoubleLayer lossOf(const X& rows, double step) {
  return sum(rows * rows * (0.3 + step)) + sum(rows * 0.1);
}

/// That a table on which all rows are used in each step moves as a dense weight.
template <class Rule>
void checkAllRows(const Rule& rule) {
  const DoubleTensorWeight dense(initialRows(), rule);
  const DoubleTableWeight table(Table<double>(initialRows()), rule);
  const Indices all{5, 3, 1, 0, 2, 4};
  for (int step = 0; step < 6; ++step) {
    train(lossOf(gather(dense, all), step)).blockingAwait();
    train(lossOf(embedding(table, all), step)).blockingAwait();
  }
  const auto expected = dense.data();
  const auto rows = table.data().dense();
  for (std::size_t i = 0; i < rows.size(); ++i)
    CHECK(rows.data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-12));
}

struct FailingRule {
  template <class V>
  struct State {};
  template <class V>
  V step(const V&, const V&, State<V>&) const {
    throw std::runtime_error("no");
  }
};

}  // namespace

TEST_CASE("a table whose rows are all used is trained as a dense weight, by any optimizer") {
  checkAllRows(sgd(0.1));
  checkAllRows(momentum({.learningRate = 0.1}));
  checkAllRows(adagrad({.learningRate = 0.1}));
  checkAllRows(adam({.learningRate = 0.1}));
  checkAllRows(chain(l2(0.1), weightDecay(0.01), adam({.learningRate = 0.1})));
}

TEST_CASE("a step changes the rows that were used, and leaves all other rows and their state") {
  const DoubleTableWeight table(Table<double>(initialRows()),
                                momentum({.learningRate = 0.5, .momentum = 0.5}));
  train(sum(embedding(table, {1, 4, 1}))).blockingAwait();
  train(sum(embedding(table, {4}))).blockingAwait();
  auto expected = initialRows();
  for (std::size_t j = 0; j < 3; ++j) {
    // the velocity of row 1 is 2, those of row 4 are 1 and 1.5
    expected.exclusiveData()[3 + j] -= 0.5 * 2;
    expected.exclusiveData()[12 + j] -= 0.5 * 1 + 0.5 * 1.5;
  }
  const auto rows = table.data().dense();
  for (std::size_t i = 0; i < rows.size(); ++i)
    CHECK(rows.data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-12));
}

TEST_CASE("lazy Adam moves a row as Adam moves a weight that is trained in the same steps alone") {
  const DoubleTableWeight table(Table<double>(initialRows()), adam({.learningRate = 0.1}));
  const DoubleTensorWeight row(initialRows().reshape(tableShape), adam({.learningRate = 0.1}));
  const DoubleTensorWeight alone(table.data().gather({2}), adam({.learningRate = 0.1}));
  for (int step = 0; step < 5; ++step) {
    train(lossOf(embedding(table, {2}), step)).blockingAwait();
    train(lossOf(alone, step)).blockingAwait();
  }
  const auto moved = table.data().gather({2});
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(moved.data()[i] == doctest::Approx(alone.data().data()[i]).epsilon(1e-12));
}

TEST_CASE("the gradient of a table has the rows that were used, each once") {
  const DoubleTableWeight table{Table<double>(initialRows())};
  const auto rows = embedding(table, {4, 0, 4});
  const auto gradient = gradients(sum(rows * 2.0) + sum(embedding(table, {0}))).blockingAwait().of(table);
  CHECK(gradient.indices() == Indices{0, 4});
  CHECK(gradient.rows() == Tensor<double>({2, 3}, {3, 3, 3, 4, 4, 4}));
  const DoubleTableWeight other{Table<double>(initialRows())};
  CHECK(gradients(sum(rows)).blockingAwait().of(other).empty());
}

TEST_CASE("clipping by the global norm counts the rows of a table, and scales them") {
  const DoubleTableWeight table(Table<double>(Tensor<double>::zeros({5, 2})), sgd(1));
  const DoubleWeight w(0.0, sgd(1));
  train(sum(embedding(table, {3})) * 2.0 + w, clipByGlobalNorm(1.5)).blockingAwait();
  // the gradients are 2, 2 and 1, of norm 3
  CHECK(table.data().gather({3}) == Tensor<double>({1, 2}, {-1, -1}));
  CHECK(w.data() == -0.5);
}

TEST_CASE("a pass reads one version of a table while steps are taken") {
  const DoubleTableWeight table(Table<double>(Tensor<double>::zeros({5, 1})), sgd(1));
  const auto step = train(sum(embedding(table, {2})));
  const auto twice = forward(embedding(table, {2})).flatMap([=](const auto& first) {
    return step.flatMap([=](double) {
      return forward(embedding(table, {2, 1})).map([first](const auto& second) {
        return std::pair(first.data, second.data);
      });
    });
  });
  const auto [first, second] = withPass(twice).blockingAwait();
  CHECK(first == Tensor<double>({1, 1}, {0}));
  CHECK(second == Tensor<double>({2, 1}, {0, 0}));
  CHECK(table.data().gather({2}) == Tensor<double>({1, 1}, {-1}));
}

TEST_CASE("a pass whose optimizer fails leaves a table and its optimizer's state as they were") {
  const DoubleTableWeight table(Table<double>(Tensor<double>::zeros({5, 1})),
                                momentum({.learningRate = 1, .momentum = 1}));
  const DoubleWeight unlucky(0.0, FailingRule());
  CHECK(errorOf([&] { train(sum(embedding(table, {2})) + unlucky).blockingAwait(); }) == "no");
  CHECK(table.data().dense() == Tensor<double>::zeros({5, 1}));
  train(sum(embedding(table, {2}))).blockingAwait();
  CHECK(table.data().dense() == Tensor<double>({5, 1}, {0, 0, -1, 0, 0}));
}

TEST_CASE("a gradient of a table that is not finite is named with its row of the table") {
  const DoubleTableWeight table(Table<double>(Tensor<double>({5, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 0})));
  CHECK(errorOf([&] {
          train(sum(sqrt(embedding(table, {4, 1})))).blockingAwait();
        }).starts_with("tapestry::train: the gradient of a weight is not finite, got inf at [4, 1], "));
}

TEST_CASE("concurrent passes lose no step of a table") {
  ThreadPool pool(4);
  const DoubleTableWeight table(Table<double>(Tensor<double>::zeros({8, 2})), sgd(1));
  std::vector<Do<double>> steps;
  for (std::int64_t i = 0; i < 400; ++i) steps.push_back(train(sum(embedding(table, {i % 8, (i + 1) % 8}))));
  parSequence(steps).blockingAwait(pool);
  CHECK(table.data().dense() == Tensor<double>::full({8, 2}, -100));
}

TEST_CASE(
    "what the state of a table does not list is as in the initial state after its parts have been set") {
  const Optimizer<Table<float>> optimizer = Unlisted();
  const auto parts = optimizer.initial()->parts();
  REQUIRE(parts);
  fillStack();
  const auto restored = optimizer.initial()->with(*parts);
  const Table<float> table(Tensor<float>({2, 1}, {3, 4}));
  const IndexedRows<float> gradient({1}, Tensor<float>({1, 1}, {1}));
  CHECK(restored->step(table, gradient).weight.dense() == table.dense());
}
