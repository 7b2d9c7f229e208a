#include <tapestry/deeplearning/keep.hpp>

#include <doctest/doctest.h>

#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/tensor/buffer_pool.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

using namespace tapestry;

namespace {

/// The identity, made so that each layer has a tensor of its own.
template <Keep keep>
constexpr auto copyOf =
    unaryOperation<"copyOf", keep>([](const auto& x) { return kernels::negate(kernels::negate(x)); },
                                   [](auto delta, const auto&...) { return delta; });

/// How many tensors are alive when all layers have been computed.
constexpr auto liveTensors = unaryOperation<"liveTensors", Keep::nothing, ToScalar>(
    [](const auto&) { return static_cast<double>(BufferPool::liveBuffers()); }, [](double) { return 0.0; });

DoubleTensorLayer chainOf(int length, const DoubleTensorWeight& weight, auto operation) {
  auto layer = operation(weight);
  for (int i = 1; i < length; ++i) layer = operation(layer);
  return layer;
}

/// How many more tensors are alive in a network of 30 layers than in one of 10.
template <Keep keep>
struct More {
  DoubleTensorWeight weight{Tensor<double>::zeros({8})};
  DoubleLayer shorter = liveTensors(chainOf(10, weight, copyOf<keep>));
  DoubleLayer longer = liveTensors(chainOf(30, weight, copyOf<keep>));
  double inTraining() const { return train(longer).blockingAwait() - train(shorter).blockingAwait(); }
  double inPrediction() const { return predict(longer).blockingAwait() - predict(shorter).blockingAwait(); }
};

}  // namespace

TEST_CASE("training keeps the tensors that derivatives need, and no others") {
  CHECK(More<Keep::nothing>().inTraining() == 0);
  CHECK(More<Keep::shapes>().inTraining() == 0);
  CHECK(More<Keep::output>().inTraining() == 20);
  CHECK(More<Keep::operands>().inTraining() == 20);
}

TEST_CASE("prediction keeps nothing that derivatives would need") {
  CHECK(More<Keep::output>().inPrediction() == 0);
  CHECK(More<Keep::operands>().inPrediction() == 0);
}
