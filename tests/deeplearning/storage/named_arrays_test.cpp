#include <tapestry/deeplearning/storage/named_arrays.hpp>

#include <doctest/doctest.h>

TEST_CASE("whole numbers are equal if their shapes and values are") {
  using tapestry::Integers;
  CHECK(Integers{{2}, {1, 2}} == Integers{{2}, {1, 2}});
  CHECK(Integers{{2}, {1, 2}} != Integers{{1, 2}, {1, 2}});
  CHECK(Integers{{2}, {1, 2}} != Integers{{2}, {1, 3}});
}

TEST_CASE("arrays are listed by name, for any order in which they came") {
  tapestry::NamedArrays arrays;
  arrays.arrays["b"] = tapestry::Tensor<float>::scalar(2);
  arrays.arrays["a"] = tapestry::Tensor<double>::scalar(1);
  CHECK(arrays.arrays.begin()->first == "a");
  CHECK(std::get<tapestry::Tensor<double>>(arrays.arrays.begin()->second).item() == 1);
}
