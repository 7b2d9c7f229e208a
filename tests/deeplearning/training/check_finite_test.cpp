#include <tapestry/deeplearning/training/check_finite.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "support/error_text.hpp"
#include "support/networks/late_layer.hpp"
#include "support/networks/send_back.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::errorOf;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

template <class A>
std::string errorIn(const Do<A>& program) {
  return errorOf([&] { program.blockingAwait(); });
}

DoubleTensorWeight vector(std::initializer_list<double> values) {
  return DoubleTensorWeight(Tensor<double>({values.size()}, values), sgd(1));
}

const std::string hint = " (checkFinite names the operation that made it)";

}  // namespace

TEST_CASE("train and gradients of a loss that is not finite fail, and nothing changes") {
  for (const auto& [value, text] :
       {std::pair(notANumber, "nan"), std::pair(infinity, "inf"), std::pair(-infinity, "-inf")}) {
    const DoubleWeight weight(2, momentum({.learningRate = 1}));
    const auto loss = weight * value;
    const std::string rest =
        std::string(": the loss is not finite, got ") + text + ", expected a finite number" + hint;
    CHECK(errorIn(train(loss)) == "tapestry::train" + rest);
    CHECK(errorIn(train(loss, clipByGlobalNorm(1))) == "tapestry::train" + rest);
    CHECK(errorIn(train(loss, weight)) == "tapestry::train" + rest);
    CHECK(errorIn(gradients(loss)) == "tapestry::gradients" + rest);
    CHECK_THROWS_AS(train(loss).blockingAwait(), std::range_error);
    CHECK(weight.data() == 2);
    train(weight * 1.0).blockingAwait();
    CHECK(weight.data() == 1);
  }
}

TEST_CASE("a loss that is a tensor is looked through, in float too") {
  const auto weight = vector({1, 0, -1});
  CHECK(errorIn(train(1.0 / weight)) ==
        "tapestry::train: the loss is not finite, got inf at [1], expected finite numbers" + hint);
  const TensorWeight floats(Tensor<float>({2, 3}, {1, 1, 1, 1, 1, 1e30F}), sgd(1));
  CHECK(errorIn(gradients(floats * floats)) ==
        "tapestry::gradients: the loss is not finite, got inf at [1, 2], expected finite numbers" + hint);
  CHECK(weight.data() == Tensor<double>({3}, {1, 0, -1}));
}

TEST_CASE("predict and withPass do not check whether values are finite") {
  const DoubleWeight weight(2, sgd(1));
  CHECK(predict(weight * infinity).blockingAwait() == infinity);
  CHECK(withPass(test::sendBack(weight + infinity)).blockingAwait() == infinity);
  CHECK(weight.data() == 1);
}

TEST_CASE("checkFinite names the first operation whose result is not finite") {
  const auto weight = vector({1, 0, -1});
  const auto loss = sum(exp(log(weight * 1.0) * 2.0) + weight);
  const std::string error =
      "tapestry::log: the result is not finite, got -inf at [1], expected finite numbers";
  CHECK(errorIn(checkFinite(train(loss))) == error);
  CHECK(errorIn(checkFinite(gradients(loss))) == error);
  CHECK(errorIn(checkFinite(predict(loss))) == error);
  CHECK(weight.data() == Tensor<double>({3}, {1, 0, -1}));
  CHECK_THROWS_AS(checkFinite(train(loss)).blockingAwait(), std::range_error);
}

TEST_CASE("checkFinite gives the indices of the first such element") {
  const DoubleTensorWeight weight(Tensor<double>({3, 1, 2}, {1, 2, 3, 4, 0, -1}));
  CHECK(errorIn(checkFinite(predict(log(weight)))) ==
        "tapestry::log: the result is not finite, got -inf at [2, 0, 0], expected finite numbers");
  CHECK(errorIn(checkFinite(predict(log(Tensor<double>::scalar(-1) * weight)))) ==
        "tapestry::log: the result is not finite, got nan at [0, 0, 0], expected finite numbers");
}

TEST_CASE("checkFinite names scalar operations, even where the loss would be finite") {
  const DoubleWeight weight(0);
  CHECK(errorIn(checkFinite(predict(exp(-(1.0 / weight))))) ==
        "tapestry::divide: the result is not finite, got inf, expected a finite number");
  const FloatWeight large(1e30F);
  CHECK(errorIn(checkFinite(predict(min(large * large, 1.0F)))) ==
        "tapestry::multiply: the result is not finite, got inf, expected a finite number");
}

TEST_CASE("checkFinite names a weight or a literal that was not finite from the start") {
  const auto weight = vector({1, notANumber});
  const auto fine = vector({1, 2});
  CHECK(errorIn(checkFinite(predict(sum(fine * weight)))) ==
        "tapestry::weight: the value is not finite, got nan at [1], expected finite numbers");
  CHECK(errorIn(checkFinite(predict(sum(fine * infinity)))) ==
        "tapestry::literal: the value is not finite, got inf, expected a finite number");
}

TEST_CASE("checkFinite looks at observed and predicted values, which no operation may have read") {
  const DoubleWeight weight(2, sgd(1));
  const auto loss = weight * 1.0;
  const auto wrong = vector({1, notANumber});
  const std::string rest = ": the value is not finite, got nan at [1], expected finite numbers";
  CHECK(errorIn(checkFinite(train(loss, wrong))) == "tapestry::weight" + rest);
  CHECK(errorIn(checkFinite(train(loss, wrong.data()))) == "tapestry::literal" + rest);
  CHECK(errorIn(checkFinite(train(loss, std::vector{weight, DoubleWeight(notANumber)}))) ==
        "tapestry::weight: the value is not finite, got nan, expected a finite number");
  CHECK(errorIn(checkFinite(train(loss, log(weight - 3.0)))) ==
        "tapestry::log: the result is not finite, got nan, expected a finite number");
  CHECK(errorIn(checkFinite(predict(loss, wrong))) == "tapestry::weight" + rest);
  CHECK(errorIn(checkFinite(predict(test::lateLayer(wrong)))) == "tapestry::weight" + rest);
  CHECK(weight.data() == 2);
  train(loss, wrong).blockingAwait();
  CHECK(weight.data() == 1);
}

TEST_CASE("checkFinite names a program whose value is not finite") {
  const DoubleWeight weight(1);
  const DoubleLayer made(Do<Tape<double, double>>::now(
      Tape<double, double>(notANumber, [](const Do<double>&) { return now(); })));
  CHECK(errorIn(checkFinite(predict(weight * made))) ==
        "tapestry::program: the result is not finite, got nan, expected a finite number");
  CHECK(errorIn(checkFinite(predict(test::lateLayer(log(weight - 1.0))))) ==
        "tapestry::log: the result is not finite, got -inf, expected a finite number");
}

TEST_CASE("checkFinite names the operation whose derivative is not finite, and nothing changes") {
  const auto weight = vector({4, 0, 1});
  const auto loss = sum(sin(sqrt(weight * 1.0)));
  CHECK(gradients(loss).blockingAwait().of(weight).data()[1] == infinity);
  const std::string error =
      "tapestry::sqrt: the delta of an operand is not finite, got inf at [1], expected finite numbers";
  CHECK(errorIn(checkFinite(train(loss))) == error);
  CHECK(errorIn(checkFinite(gradients(loss))) == error);
  CHECK(weight.data() == Tensor<double>({3}, {4, 0, 1}));
  const DoubleWeight scalar(0);
  CHECK(errorIn(checkFinite(gradients(sqrt(scalar)))) ==
        "tapestry::sqrt: the delta of an operand is not finite, got inf, expected a finite number");
}

TEST_CASE("checkFinite looks into the delta of a matrix product") {
  const TensorWeight weight(Tensor<float>::full({1, 1}, 1e-30F), sgd(1));
  const auto loss = sum(matmul(Tensor<float>::full({2, 1}, 1e20F), weight) * 1e20F);
  CHECK(
      errorIn(checkFinite(gradients(loss))) ==
      "tapestry::matmul: the delta of an operand is not finite, got inf at [0, 0], expected finite numbers");
}

TEST_CASE("checkFinite names a node whose sum of deltas is not finite") {
  const FloatWeight weight(1e-20F, sgd(1));
  const auto shared = weight * 1.0F;
  CHECK(errorIn(checkFinite(gradients(shared * 3e38F + shared * 3e38F))) ==
        "tapestry::multiply: the sum of its deltas is not finite, got inf, expected a finite number");
  CHECK(errorIn(checkFinite(gradients(weight * 3e38F + weight * 3e38F))) ==
        "tapestry::weight: the sum of its deltas is not finite, got inf, expected a finite number");
}

TEST_CASE("checkFinite names a delta that a program sends") {
  const DoubleWeight weight(1, sgd(1));
  const auto program = forward(weight * 1.0).flatMap([](const auto& tape) {
    return Do<void>::lift(tape.backward(Do<double>::now(notANumber)));
  });
  CHECK(errorIn(checkFinite(withPass(program))) ==
        "tapestry::Tape::backward: the delta is not finite, got nan, expected a finite number");
  CHECK(weight.data() == 1);
}

TEST_CASE("checkFinite changes nothing where all is finite, on a pool too") {
  ThreadPool pool(2);
  const auto weight = vector({4, 1, 1});
  CHECK(checkFinite(train(sum(sqrt(weight * weight)))).blockingAwait(pool) == 6);
  CHECK(weight.data() == Tensor<double>({3}, {3, 0, 0}));
  CHECK(checkFinite(Do<int>::now(1)).blockingAwait() == 1);
}

TEST_CASE("on a pool one of the operations that failed is named") {
  ThreadPool pool(2);
  const DoubleTensorWeight weight(Tensor<double>::full({100'000}, -1));
  const auto branch = [&] { return sum(exp(log(weight))); };
  CHECK(errorIn(Do<void>::now().flatMap([&] { return checkFinite(gradients(branch() + branch())); })) ==
        "tapestry::log: the result is not finite, got nan at [0], expected finite numbers");
}

TEST_CASE("checkFinite names a table that was not finite from the start") {
  const DoubleTableWeight table(Table<double>(Tensor<double>({2, 2}, {1, 1, notANumber, 1})), sgd(1));
  const std::string error =
      "tapestry::weight: the value is not finite, got nan at [1, 0], expected finite numbers";
  CHECK(errorIn(checkFinite(train(sum(embedding(table, Indices({1})))))) == error);
  CHECK(errorIn(checkFinite(predict(table))) == error);
}
