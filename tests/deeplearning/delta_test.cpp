#include <tapestry/deeplearning/delta.hpp>

#include <doctest/doctest.h>

#include <concepts>

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

TEST_CASE("deltas of one's own add up by their own operator or function") {
  mine::AngleDelta angle{1};
  addDelta(angle, mine::AngleDelta{2});
  CHECK(angle.perDegree == 3);
  mine::Name name{1};
  addDelta(name, mine::Name{2});
  CHECK(name.delta == 21);
}
