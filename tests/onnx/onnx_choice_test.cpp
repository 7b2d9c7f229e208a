#include <tapestry/onnx/onnx_choice.hpp>

#include <doctest/doctest.h>

#include <concepts>
#include <memory>

#include "onnx/networks.hpp"
#include "support/callable.hpp"
#include "tapestry/deeplearning.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::test;

}  // namespace

TEST_CASE("a pass evaluates the branch that the condition chooses, and derives it alone") {
  const TensorWeight yes(Tensor<float>({2}, {1, 2})), no(Tensor<float>({2}, {3, 4}));
  for (const double condition : {-1.0, 0.0, 0.5}) {
    const OnnxChoice choice(condition, yes * 1, no * 1);
    const bool holds = condition != 0;
    CHECK(predict(choice.layer()).blockingAwait() == (holds ? yes : no).data());
    const auto result = gradients(sum(choice.layer())).blockingAwait();
    CHECK(result.of(yes) == Tensor<float>::full({2}, holds ? 1 : 0));
    CHECK(result.of(no) == Tensor<float>::full({2}, holds ? 0 : 1));
  }
}

TEST_CASE("a condition may be a tensor of one element, and the layer that of a user-written program") {
  const TensorLayer x(Tensor<float>({2}, {1, 2}));
  const TensorLayer condition(Tensor<float>({1, 1}, {0}));
  CHECK(predict(OnnxChoice(condition, x, x * 2).layer()).blockingAwait() == Tensor<float>({2}, {2, 4}));
  const TensorLayer made(
      forward(condition).flatMap([x](const auto&) { return forward(TensorLayer(x * 3)); }));
  const OnnxChoice own(condition, x, x * 2, made);
  CHECK(own.layer().node() == made.node());
  CHECK(predict(own.layer()).blockingAwait() == Tensor<float>({2}, {3, 6}));
}

TEST_CASE("an OnnxChoice refuses a condition without numbers, and branches that are not tensors") {
  static_assert(std::constructible_from<OnnxChoice, DoubleLayer, TensorLayer, TensorLayer>);
  static_assert(std::constructible_from<OnnxChoice, TensorLayer, TensorLayer, TensorLayer, TensorLayer>);
  static_assert(!std::constructible_from<OnnxChoice, Nothing, TensorLayer, TensorLayer>);
  static_assert(!std::constructible_from<OnnxChoice, DoubleLayer, DoubleLayer, TensorLayer>);
  static_assert(!std::constructible_from<OnnxChoice, DoubleLayer, TensorLayer, Nothing>);
}
