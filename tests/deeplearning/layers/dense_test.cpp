#include <tapestry/deeplearning/layers/dense.hpp>

#include "deeplearning/layers/support.hpp"
#include "tapestry/tensor/shape_error.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("a dense layer is x times its weight plus its bias, for one row and for many") {
  const Dense<double> dense(Tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6}));
  dense.bias.setData(Tensor<double>({3}, {10, 20, 30}));
  CHECK(valueOf(dense(Tensor<double>({2}, {1, 1}))) == Tensor<double>({3}, {15, 27, 39}));
  CHECK(valueOf(dense(Tensor<double>({2, 2}, {1, 1, 2, 0}))) ==
        Tensor<double>({2, 3}, {15, 27, 39, 12, 24, 36}));
}

TEST_CASE("the gradients of a dense layer are the central differences") {
  Generator generator(1);
  const Dense<double> dense(3, 2, generator);
  checkLayer(dense, normal<double>({3}, 0, 1, generator));
  checkLayer(dense, normal<double>({4, 3}, 0, 1, generator));
  checkLayer(dense, normal<double>({2, 2, 3}, 0, 1, generator));
}

TEST_CASE("the gradients of a dense layer are the central differences, for any widths and rows") {
  checkLayers([](Random& random, Generator& generator) {
    const std::size_t inputs = 1 + random.below(4);
    const Dense<double> dense(inputs, 1 + random.below(4), generator);
    const Shape rows = drawShape(random, 0, 3);
    std::vector<std::size_t> extents(rows.begin(), rows.end());
    extents.push_back(inputs);
    return DrawnLayer{dense.weights(), [=](const auto& x) { return asLoss(dense(x)); },
                      random.tensor<double>(Shape(extents))};
  });
}

TEST_CASE("a dense layer has its weights, and refuses operands that do not fit them") {
  Generator generator(1);
  const Dense<> dense(784, 10, generator);
  CHECK(dense.weights().elements() == 7850);
  CHECK_THROWS_AS(dense(Tensor<float>::zeros({783})), ShapeError);
}
