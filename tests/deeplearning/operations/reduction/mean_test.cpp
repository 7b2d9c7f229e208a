#include <tapestry/deeplearning/operations/reduction/mean.hpp>

#include "deeplearning/operations/reduction/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::Tensor;

TEST_CASE("mean passes the delta to elements and layers, and refuses shapes that do not fit") {
  checkTotal([](const auto&... operands) { return tapestry::mean(operands...); }, "mean", false);
}

TEST_CASE("mean is the sum of all elements divided by their number") {
  const Tensor<double> x({2, 2}, {1, 2, 3, -4});
  CHECK(tapestry::mean(x) == 0.5);
  CHECK(tapestry::mean(2.5) == 2.5);
  CHECK(valueOf(tapestry::mean(DoubleTensorLayer(x))) == 0.5);
  CHECK(valueOf(tapestry::mean(DoubleLayer(2.5))) == 2.5);
  CHECK(std::isnan(valueOf(tapestry::mean(DoubleTensorLayer(Tensor<double>::zeros({2, 0}))))));
}

TEST_CASE("mean averages a range of layers") {
  const std::vector<DoubleLayer> scalars{1.0, 2.0, 4.5};
  CHECK(valueOf(tapestry::mean(scalars)) == 2.5);
  const std::vector weights{DoubleTensorWeight(Tensor<double>({2}, {1, 2})),
                            DoubleTensorWeight(Tensor<double>({2}, {3, 5}))};
  CHECK(valueOf(tapestry::mean(weights)) == Tensor<double>({2}, {2, 3.5}));
}

TEST_CASE("mean along axes divides by their size") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 6});
  CHECK(tapestry::mean(x, {0}) == Tensor<double>({2}, {2, 4}));
  CHECK(tapestry::mean(x, {0, 1}, true) == Tensor<double>({1, 1}, {3}));
}
