#include "tapestry/tensor/kernels/product_cost.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "support/networks/thread_helpers.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"

using namespace tapestry;

namespace {

/// How often a product [128, depth] · [depth, 128] asks for helpers.
int sharesOf(std::size_t depth) {
  test::ThreadHelpers helpers(0);
  const HelperScope scope(&helpers);
  const auto left = Tensor<float>({128, depth}, std::vector<float>(128 * depth, 1));
  static_cast<void>(kernels::matmul(left, kernels::Transpose::no, left, kernels::Transpose::yes));
  return helpers.calls;
}

}  // namespace

TEST_CASE("a product is shared from the stated number of multiplications on") {
  constexpr std::size_t depth = kernels::ProductCost::shared / (128 * 128);
  static_assert(depth * 128 * 128 == kernels::ProductCost::shared);
  CHECK(sharesOf(depth - 1) == 0);
  CHECK(sharesOf(depth) == 1);
}
