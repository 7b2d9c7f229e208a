#include <tapestry/tensor/indexed_rows.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tapestry/tensor/shape_error.hpp"

using namespace tapestry;

namespace {

using Rows = IndexedRows<double>;

}  // namespace

TEST_CASE("merged rows have each index once, in order, with the sum of its rows") {
  Rows rows({4, 1, 4}, Tensor<double>({3, 2}, {1, 2, 3, 4, 5, 6}));
  rows += Rows(Indices({2, 1}, {1, 0}), Tensor<double>({2, 1, 2}, {10, 20, 7, 8}));
  const auto merged = std::move(rows).merged();
  CHECK(merged.indices() == Indices{0, 1, 4});
  CHECK(merged.rows() == Tensor<double>({3, 2}, {7, 8, 13, 24, 6, 8}));
  CHECK(merged.squaredNorm() == 49 + 64 + 169 + 576 + 36 + 64);
  CHECK(Rows(merged).scaled(0.5).rows() == Tensor<double>({3, 2}, {3.5, 4, 6.5, 12, 3, 4}));
}

TEST_CASE("rows of any width are merged, of float too") {
  for (const std::size_t width : {1u, 2u, 5u, 8u, 15u, 16u, 17u, 33u, 70u}) {
    CAPTURE(width);
    auto values = Tensor<float>::zeros({3, width});
    for (std::size_t i = 0; i < 3 * width; ++i) values.exclusiveData()[i] = static_cast<float>(i);
    const auto merged = IndexedRows<float>({7, 2, 7}, values).merged();
    REQUIRE(merged.indices() == Indices{2, 7});
    for (std::size_t j = 0; j < width; ++j) {
      CHECK(merged.rows()(0, j) == values(1, j));
      CHECK(merged.rows()(1, j) == values(0, j) + values(2, j));
    }
  }
  CHECK(Rows(Indices(std::vector<std::int64_t>{}), Tensor<double>::zeros({0, 4})).merged().size() == 0);
}

TEST_CASE("rows are merged by indices of any size, and those of one index in the order in which they came") {
  constexpr std::int64_t large = std::int64_t{1} << 40;
  Rows rows({large + 1, 255, large, 256, 255, 65536, 255},
            Tensor<double>({7, 1}, {1, 1, 2, 3, 1e20, 4, -1e20}));
  const auto merged = std::move(rows).merged();
  CHECK(merged.indices() == Indices{255, 256, 65536, large, large + 1});
  CHECK(merged.rows() == Tensor<double>({5, 1}, {0, 3, 4, 2, 1}));
}

TEST_CASE("no rows are neutral, and of norm 0") {
  Rows none;
  CHECK(Rows().merged().empty());
  CHECK(none.size() == 0);
  CHECK(none.indices().shape() == Shape{0});
  CHECK(none.rows().shape() == Shape{0});
  CHECK(none.squaredNorm() == 0);
  none += Rows({2}, Tensor<double>({1, 1}, {3}));
  none += Rows();
  CHECK(std::move(none).merged().indices() == Indices{2});
}

TEST_CASE("rows that do not fit their indices, or each other, are refused") {
  CHECK_THROWS_WITH(
      Rows({1, 2}, Tensor<double>::zeros({3, 2})),
      "tapestry::IndexedRows: the rows are not those of the indices, got [3, 2] for indices [2], "
      "expected the indices' extents first");
  Rows rows({1}, Tensor<double>::zeros({1, 2}));
  CHECK_THROWS_WITH(rows += Rows({1}, Tensor<double>::zeros({1, 3})),
                    "tapestry::IndexedRows: the shapes of rows differ, got [3], expected [2]");
}
