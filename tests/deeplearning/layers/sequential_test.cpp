#include <tapestry/deeplearning/layers/sequential.hpp>

#include <vector>

#include "deeplearning/layers/support.hpp"
#include "tapestry/deeplearning/layers/dense.hpp"
#include "tapestry/deeplearning/operations/activation/tanh.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("sequential applies its parts one after the other") {
  Generator generator(2);
  const Dense<double> first(3, 4, generator);
  const Dense<double> second(4, 2, generator);
  const auto network = sequential(first, operations::tanh, second);
  const auto x = normal<double>({5, 3}, 0, 1, generator);
  CHECK(valueOf(network(x)) == valueOf(second(tanh(first(x)))));
  CHECK(valueOf(sequential()(DoubleTensorLayer(x))) == x);
  checkLayer(network, x);
}

TEST_CASE("the weights of a sequence bear the numbers of its parts") {
  Generator generator(2);
  const auto network = sequential(
      sequential(Dense<>(3, 4, generator), operations::tanh), [](const auto& x) { return x * 2.0f; },
      Dense<>(4, 2, generator));
  std::vector<std::string> names;
  for (const auto& named : network.weights()) names.push_back(named.name);
  CHECK(names == std::vector<std::string>{"0.0.weight", "0.0.bias", "2.weight", "2.bias"});
}
