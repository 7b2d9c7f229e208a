#include <tapestry/deeplearning/operations/reduction/sum.hpp>

#include "deeplearning/operations/reduction/support.hpp"

using namespace tapestry::test;
using tapestry::DoubleLayer;
using tapestry::DoubleTensorLayer;
using tapestry::DoubleTensorWeight;
using tapestry::Tensor;

TEST_CASE("sum passes the delta to elements and layers, and refuses shapes that do not fit") {
  checkTotal([](const auto&... operands) { return tapestry::sum(operands...); }, "sum", true);
}

TEST_CASE("sum adds up all elements") {
  const Tensor<double> x({2, 2}, {1, 2, 3, -4});
  CHECK(tapestry::sum(x) == 2);
  CHECK(tapestry::sum(2.5) == 2.5);
  CHECK(valueOf(tapestry::sum(DoubleTensorLayer(x))) == 2);
  CHECK(valueOf(tapestry::sum(DoubleLayer(2.5))) == 2.5);
  CHECK(valueOf(tapestry::sum(DoubleTensorLayer(Tensor<double>::zeros({2, 0})))) == 0);
}

TEST_CASE("sum adds up a range of layers") {
  const std::vector<DoubleLayer> scalars{1.0, 2.0, 4.5};
  CHECK(valueOf(tapestry::sum(scalars)) == 7.5);
  const std::vector weights{DoubleTensorWeight(Tensor<double>({2}, {1, 2})),
                            DoubleTensorWeight(Tensor<double>({2}, {3, 5}))};
  CHECK(valueOf(tapestry::sum(weights)) == Tensor<double>({2}, {4, 7}));
}

TEST_CASE("sum along axes leaves them out or keeps them with extent 1") {
  const Tensor<double> x({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(tapestry::sum(x, {0}) == Tensor<double>({3}, {5, 7, 9}));
  CHECK(tapestry::sum(x, {-1}, true) == Tensor<double>({2, 1}, {6, 15}));
  CHECK(valueOf(tapestry::sum(DoubleTensorLayer(x), {0, 1})) == Tensor<double>::scalar(21));
}
