#include <tapestry/deeplearning/optimizers/sgd.hpp>

#include "deeplearning/optimizers/support.hpp"
#include "tapestry/deeplearning/operations/product/matmul.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"

using tapestry::test::checkTable;

TEST_CASE("ten steps of sgd are those of the formula") {
  checkTable(tapestry::test::tables::sgd, tapestry::sgd(0.1));
}

TEST_CASE("a weight without an optimizer is trained by sgd at a rate of 0.01") {
  const tapestry::DoubleWeight w(1);
  train(3.0 * w).blockingAwait();
  CHECK(w.data() == doctest::Approx(0.97).epsilon(1e-15));
}

TEST_CASE("a negative rate climbs") {
  const tapestry::DoubleWeight w(1, tapestry::sgd(-1));
  train(3.0 * w).blockingAwait();
  CHECK(w.data() == 4);
}

namespace {

struct Standstill : tapestry::Sgd {
  template <class V>
  V step(const V& weight, V, State<V>&) const {
    return weight;
  }
};

}  // namespace

TEST_CASE("a rule that derives from sgd takes its own steps") {
  const tapestry::DoubleTensorWeight w(tapestry::Tensor<double>({1, 1}, {1}), Standstill());
  train(tapestry::sum(tapestry::matmul(w, tapestry::Tensor<double>({1, 1}, {2})))).blockingAwait();
  CHECK(w.data()(0, 0) == 1);
}
