#include <tapestry/tensor/lifetime_bound.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <span>
#include <tapestry/tensor/tensor.hpp>

// What is refused by clang is in compile_fail/clang_values_of_temporary.

using tapestry::Shape;
using tapestry::Tensor;

namespace {

float total(std::span<const float> values) { return std::accumulate(values.begin(), values.end(), 0.0f); }

TEST_CASE("a view of a temporary may be used in the expression that makes the temporary") {
  CHECK(total(Tensor<float>({2}, {1, 2}).values()) == 3);
  CHECK(Tensor<float>({2}, {1, 2}).shape()[0] == 2);
}

TEST_CASE("a copy of a view's values outlives the temporary") {
  const float last = Tensor<float>({2}, {1, 2}).values()[1];
  const Shape shape = Tensor<float>({2}, {1, 2}).shape();
  CHECK(last == 2);
  CHECK(shape == Shape{2});
}

}  // namespace
