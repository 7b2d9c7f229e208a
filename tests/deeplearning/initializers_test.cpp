#include <tapestry/deeplearning/initializers.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <doctest/doctest.h>

#include "tapestry/tensor/kernels/matmul.hpp"
#include "tapestry/tensor/shape_error.hpp"

using namespace tapestry;

namespace {

struct Moments {
  double mean = 0;
  double deviation = 0;
  double largest = 0;
};

template <class T>
Moments momentsOf(const Tensor<T>& tensor) {
  Moments moments;
  const auto n = static_cast<double>(tensor.size());
  for (const T x : tensor.values()) moments.mean += static_cast<double>(x) / n;
  for (const T x : tensor.values()) {
    const double distance = static_cast<double>(x) - moments.mean;
    moments.deviation += distance * distance / n;
    moments.largest = std::max(moments.largest, std::abs(static_cast<double>(x)));
  }
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

/// Within 5 % of the deviation; 10,000 draws are used, whose mean deviates by 1 %.
template <class T>
void checkMoments(const Tensor<T>& tensor, double mean, double deviation) {
  const Moments moments = momentsOf(tensor);
  CHECK(std::abs(moments.mean - mean) < 0.05 * deviation);
  CHECK(moments.deviation == doctest::Approx(deviation).epsilon(0.05));
}

}  // namespace

TEST_CASE("uniform never draws its upper bound, also where numbers between the bounds are few") {
  Generator generator(6);
  for (int i = 0; i < 16; ++i) {
    const auto drawn = uniform({4, 1024, 1024}, 0, 1, generator);
    CHECK(*std::ranges::max_element(drawn.values()) < 1);
    CHECK(*std::ranges::min_element(drawn.values()) >= 0);
  }
  const float next = std::nextafter(1.0F, 2.0F);
  CHECK(uniform({1000}, 1, next, generator) == Tensor<float>::full({1000}, 1));
  CHECK(uniform<double>({10}, 3, 3, generator) == Tensor<double>::full({10}, 3));
}

TEST_CASE("uniform and normal draw from their distributions, in both precisions") {
  Generator generator(1);
  checkMoments(uniform({100, 100}, -1, 3, generator), 1, 4 / std::sqrt(12.0));
  checkMoments(normal({100, 100}, 2, 0.5, generator), 2, 0.5);
  checkMoments(uniform<double>({100, 100}, -1, 3, generator), 1, 4 / std::sqrt(12.0));
  checkMoments(normal<double>({100, 100}, 2, 0.5, generator), 2, 0.5);
  const auto drawn = uniform({100, 100}, -1, 3, generator);
  CHECK(std::ranges::all_of(drawn.values(), [](float x) { return x >= -1 && x <= 3; }));
  CHECK(std::ranges::min(drawn.values()) < -0.99f);
  CHECK(std::ranges::max(drawn.values()) > 2.99f);
}

TEST_CASE("the variance of Glorot's is 2 / (in + out), and that of He's 2 / in") {
  Generator generator(2);
  checkMoments(glorotUniform({50, 200}, generator), 0, std::sqrt(2.0 / 250));
  checkMoments(glorotNormal({50, 200}, generator, 3), 0, 3 * std::sqrt(2.0 / 250));
  checkMoments(heUniform({50, 200}, generator), 0, std::sqrt(2.0 / 50));
  checkMoments(heNormal({50, 200}, generator), 0, std::sqrt(2.0 / 50));
  CHECK(momentsOf(glorotUniform({50, 200}, generator)).largest <= std::sqrt(6.0 / 250));
}

TEST_CASE("each output of filters of shape out, in, height, width depends on in * height * width inputs") {
  CHECK(fansOf({50, 20}).in == 50);
  CHECK(fansOf({50, 20}).out == 20);
  CHECK(fansOf({32, 3, 5, 5}).in == 75);
  CHECK(fansOf({32, 3, 5, 5}).out == 800);
  CHECK_THROWS_WITH_AS(
      fansOf({3}),
      "tapestry::fansOf: a weight has too few axes, got [3], expected [in, out] or [out, in, ...]",
      ShapeError);
}

TEST_CASE("the shorter of rows and columns of an orthogonal matrix are orthogonal and of length gain") {
  using kernels::Transpose;
  Generator generator(3);
  for (const Shape& shape : {Shape{4, 9}, Shape{9, 4}, Shape{6, 6}, Shape{3, 2, 2}, Shape{1, 5}}) {
    const auto drawn = orthogonal<double>(shape, generator, 2);
    CHECK(drawn.shape() == shape);
    const auto matrix = drawn.reshape({shape[0], shape.size() / shape[0]});
    const bool tall = matrix.shape()[0] > matrix.shape()[1];
    const auto product = tall ? kernels::matmul(matrix, Transpose::yes, matrix, Transpose::no)
                              : kernels::matmul(matrix, Transpose::no, matrix, Transpose::yes);
    for (std::size_t i = 0; i < product.shape()[0]; ++i)
      for (std::size_t j = 0; j < product.shape()[1]; ++j)
        CHECK(product(i, j) == doctest::Approx(i == j ? 4.0 : 0.0).epsilon(1e-12));
  }
  CHECK(orthogonal({0, 3}, generator).size() == 0);
}

TEST_CASE("the same seed gives the same weights, known ones") {
  Generator a(7);
  Generator b(7);
  CHECK(normal({5}, 0, 1, a) == normal({5}, 0, 1, b));
  CHECK(normal({5}, 0, 1, a) != uniform({5}, 0, 1, b));
  // the 10,000th number of a default mt19937_64 is fixed by the standard, and so is its upper part in [0, 1)
  Generator standard;
  standard.discard(9999);
  CHECK(uniform<double>({1}, 0, 1, standard).item() ==
        std::ldexp(static_cast<double>(9981545732273789042u >> 11), -53));
}

TEST_CASE("bounds that are further apart than any number are refused") {
  Generator generator(1);
  CHECK_THROWS_AS(tapestry::uniform<double>({2}, -1e308, 1e308, generator), std::invalid_argument);
}

TEST_CASE("bounds, means and deviations that a float cannot hold are refused for floats") {
  Generator generator(1);
  CHECK_THROWS_WITH_AS(
      uniform({2}, 0, 1e300, generator),
      "tapestry::uniform: the upper bound is out of range, got 1e+300, expected a finite float",
      std::invalid_argument);
  CHECK_THROWS_AS(uniform({2}, -1e300, 0, generator), std::invalid_argument);
  CHECK_THROWS_AS(normal({2}, 1e300, 1, generator), std::invalid_argument);
  CHECK_THROWS_WITH_AS(normal({2}, 0, 1e300, generator),
                       "tapestry::normal: the deviation is out of range, got 1e+300, expected a finite float",
                       std::invalid_argument);
  CHECK(uniform<double>({2}, 1e300, 1e300, generator) == Tensor<double>::full({2}, 1e300));
  CHECK(normal<double>({2}, 1e300, 0, generator) == Tensor<double>::full({2}, 1e300));
}

TEST_CASE(
    "the sign of a gain of Glorot's does not matter, and a gain that is not finite is refused by name") {
  Generator a(5), b(5);
  CHECK(glorotUniform({3, 4}, a, -2) == glorotUniform({3, 4}, b, 2));
  CHECK(glorotNormal({3, 4}, a, -2) == glorotNormal({3, 4}, b, 2));
  const double nan = std::nan("");
  CHECK_THROWS_WITH_AS(glorotUniform<double>({3, 4}, a, nan),
                       "tapestry::glorotUniform: the gain is out of range, got nan, expected a finite number",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(glorotNormal<double>({3, 4}, a, -std::numeric_limits<double>::infinity()),
                       "tapestry::glorotNormal: the gain is out of range, got -inf, expected a finite number",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      glorotUniform({3, 4}, a, 1e300),
      "tapestry::glorotUniform: the gain is out of range, got 1e+300, expected a finite float",
      std::invalid_argument);
}

TEST_CASE("a weight without inputs is empty") {
  Generator generator(1);
  const Shape empty{0, 3}, none{0, 0};
  CHECK(heNormal(empty, generator).shape() == empty);
  CHECK(heUniform(empty, generator).shape() == empty);
  CHECK(glorotNormal(none, generator).shape() == none);
  CHECK(glorotUniform(none, generator).shape() == none);
}

TEST_CASE("parameters that make no distribution are refused") {
  Generator generator;
  CHECK_THROWS_WITH_AS(
      uniform({2}, 1, 0, generator),
      "tapestry::uniform: the bounds are in the wrong order, got 1 and 0, expected low <= high",
      std::invalid_argument);
  CHECK_THROWS_AS(uniform({2}, 0, std::numeric_limits<double>::infinity(), generator), std::invalid_argument);
  CHECK_THROWS_AS(normal({2}, 0, -1, generator), std::invalid_argument);
  CHECK_THROWS_WITH_AS(normal<double>({2}, std::numeric_limits<double>::infinity(), 1, generator),
                       "tapestry::normal: the mean is out of range, got inf, expected a finite number",
                       std::invalid_argument);
  CHECK_THROWS_AS(normal<double>({2}, std::nan(""), 1, generator), std::invalid_argument);
  CHECK_THROWS_AS(orthogonal({2}, generator), ShapeError);
  CHECK_THROWS_AS(orthogonal<float>({2, 2}, generator, 1e39), std::invalid_argument);
}
