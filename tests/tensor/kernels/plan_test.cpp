#include "../libs/tensor/src/kernels/product/plan.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <limits>
#include <ostream>
#include <stdexcept>

using namespace tapestry::kernels;
using Along = ProductCut::Along;

namespace {

// The letters are the operands as stored (N) or transposed (T), as in docs/decisions/matrix-products.md.
constexpr ProductShape nn(std::size_t m, std::size_t n, std::size_t k) { return {false, false, m, n, k}; }
constexpr ProductShape nt(std::size_t m, std::size_t n, std::size_t k) { return {false, true, m, n, k}; }
constexpr ProductShape tn(std::size_t m, std::size_t n, std::size_t k) { return {true, false, m, n, k}; }
constexpr ProductShape tt(std::size_t m, std::size_t n, std::size_t k) { return {true, true, m, n, k}; }

constexpr ProductMachine avx2{true, true, false};
constexpr ProductMachine avx512{true, true, true};
constexpr ProductMachine withoutTiles{false, true, false};
constexpr ProductMachine withOpenBlasAlone{false, false, false};
constexpr ProductMachine withTilesAlone{true, false, false, false};
constexpr ProductMachine withoutOpenBlas{true, true, true, false};
constexpr ProductMachine withNothing{false, false, false, false};

constexpr ProductForm plain;
constexpr ProductForm ontoRow{.addend = Addend::row};
constexpr ProductForm ontoMatrix{.addend = Addend::matrix};
constexpr ProductForm inDouble{.isDouble = true};

Backend backend(const ProductShape& shape, const ProductMachine& machine, const ProductForm& form = plain) {
  return plan(shape, form, machine).backend;
}

void checkCut(const ProductShape& shape, Along along, std::size_t length, std::size_t parts) {
  const ProductCut cut = plan(shape, plain, avx2).cut;
  CAPTURE(shape.m);
  CAPTURE(shape.n);
  CAPTURE(shape.k);
  CHECK((cut.along == along));
  CHECK(cut.length == length);
  CHECK(cut.parts == parts);
}

}  // namespace

TEST_CASE("a plan for a vector or no terms is a separate loop") {
  CHECK((backend(nn(0, 3, 3), avx2) == Backend::none));
  CHECK((backend(nn(3, 0, 3), avx2) == Backend::none));
  CHECK((backend(nn(3, 3, 0), avx2) == Backend::noTerms));
  CHECK((backend(nn(1, 1, 9), avx2) == Backend::dot));
  CHECK((backend(nn(1, 9, 9), avx2) == Backend::rowTimesMatrix));
  CHECK((backend(nn(9, 1, 9), avx2, ontoRow) == Backend::matrixTimesColumn));
  CHECK((backend(nn(9, 1, 9), avx2, ontoMatrix) == Backend::openBlas));
  CHECK((backend(nn(9, 1, 9), avx2, {.isScaled = true}) == Backend::openBlas));
}

TEST_CASE("tiles take slender products, up to the measured extents") {
  CHECK((backend(nn(64, 64, 3000), avx2) == Backend::tiles));
  CHECK((backend(nn(64, 65, 3000), avx2) == Backend::oneDnn));
  CHECK((backend(nn(65, 64, 3000), avx2) == Backend::oneDnn));
  CHECK((backend(nn(3000, 64, 32), avx2) == Backend::tiles));
  CHECK((backend(nn(3000, 64, 33), avx2) == Backend::oneDnn));
  CHECK((backend(nn(16, 16, 64), avx2) == Backend::tiles));
  CHECK((backend(nn(16, 15, 64), avx2) == Backend::openBlas));
  CHECK((backend(tn(128, 64, 100), avx2) == Backend::tiles));
  CHECK((backend(tn(129, 64, 100), avx2) == Backend::oneDnn));
  CHECK((backend(tn(784, 64, 64), avx512) == Backend::tiles));
  CHECK((backend(tn(784, 64, 65), avx512) == Backend::oneDnn));
  CHECK((backend(tn(784, 64, 64), avx2) == Backend::oneDnn));
  CHECK((backend(nn(784, 64, 64), avx512) == Backend::oneDnn));
  CHECK((backend(nt(64, 300, 64), avx2) == Backend::tiles));
  CHECK((backend(nt(64, 300, 65), avx2) == Backend::oneDnn));
  CHECK((backend(nt(65, 300, 64), avx2) == Backend::oneDnn));
  CHECK((backend(tt(16, 300, 64), avx2) == Backend::oneDnn));
}

TEST_CASE("tiles add to a matrix, but take no double precision") {
  CHECK((backend(nn(64, 64, 64), avx2, ontoMatrix) == Backend::tiles));
  CHECK((backend(nn(64, 64, 64), avx2, inDouble) == Backend::openBlas));
}

TEST_CASE("a row is added by tiles that hold all terms at once, and else by a loop afterwards") {
  CHECK(!plan(nn(16, 64, 64), ontoRow, avx2).addsRowLast);
  CHECK(plan(nn(16, 64, 65), ontoRow, avx2).addsRowLast);
  CHECK(plan(nn(16, 64, 64), ontoRow, withoutTiles).addsRowLast);
  CHECK(plan(nn(1, 64, 64), ontoRow, avx2).addsRowLast);
  CHECK(!plan(nn(16, 64, 65), ontoMatrix, avx2).addsRowLast);
}

TEST_CASE("OpenBLAS takes products of few multiplications, and oneDNN larger ones") {
  CHECK((backend(tt(32, 64, 64), withoutTiles) == Backend::openBlas));
  CHECK((backend(tt(33, 64, 64), withoutTiles) == Backend::oneDnn));
  CHECK((backend(tt(33, 64, 64), withOpenBlasAlone) == Backend::openBlas));
}

TEST_CASE("OpenBLAS takes deep products whose rows contend for the cache, unless oneDNN has AVX-512") {
  CHECK((backend(nn(300, 256, 33), avx2) == Backend::openBlas));
  CHECK((backend(nn(300, 256, 32), avx2) == Backend::oneDnn));
  CHECK((backend(nn(300, 257, 33), avx2) == Backend::oneDnn));
  CHECK((backend(nt(300, 256, 65), avx2) == Backend::oneDnn));
  CHECK((backend(tn(256, 300, 33), avx2) == Backend::openBlas));
  CHECK((backend(tn(257, 300, 33), avx2) == Backend::oneDnn));
  CHECK((backend(nn(300, 256, 33), avx512) == Backend::oneDnn));
}

TEST_CASE("where OpenBLAS is missing, tiles or blocks take its products, and oneDNN the large ones") {
  CHECK((backend(nn(64, 64, 64), withoutOpenBlas, inDouble) == Backend::blocks));
  CHECK((backend(nn(16, 15, 64), withoutOpenBlas) == Backend::tiles));
  CHECK((backend(nt(16, 15, 65), withoutOpenBlas) == Backend::oneDnn));
  CHECK((backend(nn(300, 300, 300), withoutOpenBlas) == Backend::oneDnn));
}

TEST_CASE("where OpenBLAS and oneDNN are missing, blocks take what tiles cannot") {
  CHECK((backend(nn(300, 300, 300), withTilesAlone) == Backend::tiles));
  CHECK((backend(tt(300, 300, 64), withTilesAlone) == Backend::tiles));
  CHECK((backend(nt(300, 300, 65), withTilesAlone) == Backend::blocks));
  CHECK((backend(nn(300, 300, 300), withTilesAlone, inDouble) == Backend::blocks));
  CHECK((backend(nn(300, 300, 300), withNothing) == Backend::blocks));
  CHECK((backend(nn(1, 9, 9), withNothing) == Backend::rowTimesMatrix));
  CHECK(plan(nn(16, 64, 64), ontoRow, withNothing).addsRowLast);
}

TEST_CASE("the cost counts multiplications by 256 * 1024, also where their number overflows") {
  CHECK(plan(nn(512, 512, 8), plain, avx2).cost == 8);
  CHECK(plan(nn(512, 511, 8), plain, avx2).cost == 7);
  CHECK(plan(nn(std::size_t{1} << 30, std::size_t{1} << 30, 64), plain, avx2).cost == std::size_t{1} << 48);
  CHECK(plan(nn(1, 512, 512), plain, avx2).cost == 0);
}

TEST_CASE("a product is cut into four to eight parts, from 1024 * 1024 multiplications on") {
  checkCut(nn(1023, 64, 16), Along::rows, 1023, 1);
  checkCut(nn(1024, 64, 16), Along::rows, 256, 4);
  checkCut(nn(2047, 64, 16), Along::rows, 512, 4);
  checkCut(nn(2048, 64, 16), Along::rows, 256, 8);
  checkCut(nn(1 << 20, 64, 64), Along::rows, 131072, 8);
  checkCut(nn(8, 1 << 16, 8), Along::columns, 8192, 8);
}

TEST_CASE("a product is cut along its longer side, or along a greater depth where the result is small") {
  checkCut(nn(128, 128, 128), Along::rows, 16, 8);
  checkCut(nn(128, 129, 128), Along::columns, 32, 5);
  checkCut(nn(128, 128, 1024), Along::depth, 128, 8);
  checkCut(nn(128, 129, 1024), Along::columns, 32, 5);
  checkCut(nn(16, 64, 3072), Along::depth, 384, 8);
  checkCut(nn(1024, 16, 1024), Along::rows, 128, 8);
}

TEST_CASE("a plan throws where an extent is beyond the integers of the library that it chooses") {
  constexpr std::size_t beyond = std::size_t{std::numeric_limits<int>::max()} + 1;
  CHECK_THROWS_AS(plan(nn(2, 2, beyond), inDouble, avx2), std::length_error);
  CHECK_THROWS_AS(plan(nn(2, beyond, 2), plain, avx2), std::length_error);
  CHECK((backend(nn(2, 2, beyond - 1), avx2, inDouble) == Backend::openBlas));
  CHECK((backend(nn(16, 16, beyond), avx2) == Backend::tiles));
  CHECK((backend(nn(2, 2, beyond), withNothing, inDouble) == Backend::blocks));
  CHECK((backend(nn(1, 2, beyond), avx2, inDouble) == Backend::rowTimesMatrix));
}
