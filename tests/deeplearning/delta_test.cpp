#include <tapestry/deeplearning/delta.hpp>

#include <doctest/doctest.h>

#include <array>
#include <concepts>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace mine {

struct Angle {
  double degrees;
};
struct AngleDelta {
  double perDegree;
  AngleDelta& operator+=(const AngleDelta& other) {
    perDegree += other.perDegree;
    return *this;
  }
};

struct Name {
  int delta;
};
void addDelta(Name& sum, Name&& other) { sum.delta += 10 * other.delta; }

}  // namespace mine

template <>
struct tapestry::DeltaTraits<mine::Angle> {
  using Type = mine::AngleDelta;
};

using tapestry::addDelta;
using tapestry::DeltaOf;
using tapestry::Tensor;
using tapestry::TensorDelta;

static_assert(std::same_as<DeltaOf<double>, double>);
static_assert(std::same_as<DeltaOf<float>, float>);
static_assert(std::same_as<DeltaOf<Tensor<float>>, TensorDelta<float>>);
static_assert(std::same_as<DeltaOf<Tensor<double>>, TensorDelta<double>>);
static_assert(std::same_as<DeltaOf<mine::Angle>, mine::AngleDelta>);
static_assert(std::same_as<DeltaOf<mine::Name>, mine::Name>);

TEST_CASE("deltas of scalars add up") {
  double sum = 1;
  addDelta(sum, 2.5);
  CHECK(sum == 3.5);
}

TEST_CASE("deltas of tensors add up") {
  TensorDelta<double> sum;
  addDelta(sum, TensorDelta<double>(Tensor<double>({2}, {1, 2})));
  addDelta(sum, TensorDelta<double>(Tensor<double>({2}, {3, 4})));
  CHECK(sum.dense() == Tensor<double>({2}, {4, 6}));
}

TEST_CASE("user-defined deltas add up by their own operator or function") {
  mine::AngleDelta angle{1};
  addDelta(angle, mine::AngleDelta{2});
  CHECK(angle.perDegree == 3);
  mine::Name name{1};
  addDelta(name, mine::Name{2});
  CHECK(name.delta == 21);
}

TEST_CASE("deltas of structures add up part by part") {
  using Parts = std::tuple<double, std::pair<mine::AngleDelta, mine::Name>, std::array<float, 2>>;
  Parts sum{1, {{2}, {3}}, {4, 5}};
  addDelta(sum, Parts{10, {{20}, {30}}, {40, 50}});
  CHECK(std::get<0>(sum) == 11);
  CHECK(std::get<1>(sum).first.perDegree == 22);
  CHECK(std::get<1>(sum).second.delta == 303);
  CHECK(std::get<2>(sum) == std::array{44.0F, 55.0F});
}

TEST_CASE("deltas of ranges add up where their lengths are equal") {
  std::vector sum{1.0, 2.0};
  addDelta(sum, std::vector{10.0, 20.0});
  CHECK(sum == std::vector{11.0, 22.0});
  CHECK_THROWS_AS(addDelta(sum, std::vector{1.0}), std::invalid_argument);
}
