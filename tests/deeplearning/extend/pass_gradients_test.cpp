// The gradients of a pass can be taken out as numbers, and set.
#include <doctest/doctest.h>

#include <functional>
#include <memory>

#include "tapestry/deeplearning.hpp"
#include "tapestry/deeplearning/extend/exchange.hpp"

using namespace tapestry;
using extend::Gradient;
using extend::PassGradients;
using extend::WeightId;

namespace {

/// Calls a function when the pass settles.
class Settling final : public extend::Exchange {
 public:
  explicit Settling(std::function<void(PassGradients)> function) : function_(std::move(function)) {}
  void complete(PassGradients, WeightId) noexcept override {}
  Do<double> settle(PassGradients pass, std::exception_ptr) override {
    return Do<double>::delay([this, pass] {
      function_(pass);
      return 1.0;
    });
  }
  Do<void> agree(std::exception_ptr) override { return Do<void>::now(); }

 private:
  std::function<void(PassGradients)> function_;
};

Reduction settling(std::function<void(PassGradients)> function) {
  return {Do<std::shared_ptr<extend::Exchange>>::delay(
      [function] { return std::make_shared<Settling>(function); })};
}

Tensor<float> matrix() { return Tensor<float>({2, 2}, {1, 2, 3, 4}); }

}  // namespace

TEST_CASE("the delta of a tensor, a product, is one tensor") {
  const TensorWeight weight(matrix(), sgd(1));
  const TensorWeight unused(matrix(), sgd(1));
  Gradient taken;
  const auto reduction = settling([&](PassGradients pass) {
    CHECK(pass.touched().size() == 1);
    CHECK(!pass.isTouched(WeightId(AnyWeight(unused))));
    taken = pass.take(WeightId(AnyWeight(weight)));
    pass.put(WeightId(AnyWeight(unused)), Tensor<float>::full({2, 2}, 1));
  });
  const Tensor<float> x({1, 2}, {1, 10});
  train(sum(matmul(TensorLayer(x), weight)), reduction).blockingAwait();
  CHECK(std::get<Tensor<float>>(taken) == Tensor<float>({2, 2}, {1, 1, 10, 10}));
  CHECK(weight.data() == matrix());
  CHECK(unused.data() == Tensor<float>({2, 2}, {0, 1, 2, 3}));
}

TEST_CASE("the gradient of a table has the rows that were read") {
  const TableWeight table(Table<float>(Tensor<float>::zeros({4, 1})), sgd(1));
  const auto reduction = settling([&](PassGradients pass) {
    auto rows = std::get<IndexedRows<float>>(pass.take(WeightId(AnyWeight(table))));
    REQUIRE(rows.size() == 2);
    CHECK(rows.rows() == Tensor<float>({2, 1}, {2, 1}));
    rows += IndexedRows<float>(Indices({1}, {3}), Tensor<float>({1, 1}, {5}));
    pass.put(WeightId(AnyWeight(table)), std::move(rows));
  });
  train(sum(embedding(table, Indices({3}, {0, 2, 0}))), reduction).blockingAwait();
  CHECK(table.data().dense() == Tensor<float>({4, 1}, {-2, 0, -1, -5}));
}

TEST_CASE("observations are their sum and their number") {
  const RunningAverage<Tensor<float>> average(Tensor<float>::zeros({2}), 0.5);
  const DoubleWeight weight(1);
  const auto observing = DoubleLayer(average.observe(Tensor<float>({2}, {2, 4})).flatMap([average, weight] {
    return average.observe(Tensor<float>({2}, {4, 8})).flatMap([weight] { return forward(weight); });
  }));
  const auto reduction = settling([&](PassGradients pass) {
    const WeightId id{AnyWeight(average)};
    auto numbers = std::get<Tensor<float>>(pass.take(id));
    CHECK(numbers == Tensor<float>({3}, {6, 12, 2}));
    pass.put(id, Tensor<float>({3}, {12, 24, 3}));
  });
  train(observing, reduction).blockingAwait();
  CHECK(average.data() == Tensor<float>({2}, {2, 4}));
}
