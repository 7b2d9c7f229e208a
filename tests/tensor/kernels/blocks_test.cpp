#include "kernels/product/backends.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using kernels::Product;
using kernels::ProductShape;

namespace {

template <class T>
double at(const Tensor<T>& matrix, bool transposed, std::size_t row, std::size_t column) {
  return transposed ? matrix(column, row) : matrix(row, column);
}

/// Compares alpha * op(a)·op(b), or its sum with c if `adds`, with plain sums.
template <class T>
void check(test::Random& random, const ProductShape& shape, T alpha, bool adds) {
  const auto& [transposeA, transposeB, m, n, k] = shape;
  const auto a = random.integers<T>(transposeA ? Shape{k, m} : Shape{m, k});
  const auto b = random.integers<T>(transposeB ? Shape{n, k} : Shape{k, n});
  const auto c = random.integers<T>({m, n});
  Tensor<T> result = adds ? Tensor<T>(c) : Tensor<T>::full({m, n}, std::numeric_limits<T>::quiet_NaN());
  T* const to = result.exclusiveData();
  kernels::multiplyByBlocks<T>({shape, a.data(), b.data(), to, adds ? to : nullptr, alpha});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t l = 0; l < k; ++l) sum += at(a, transposeA, i, l) * at(b, transposeB, l, j);
      sum = sum * static_cast<double>(alpha) + (adds ? static_cast<double>(c(i, j)) : 0);
      if (static_cast<double>(result(i, j)) != sum) ++wrong;
    }
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("blocks compute products of any shape, transposed or not, onto a result or not", T, float,
                   double) {
  test::onEachInstructionSet([] {
    test::Random random(1);
    const std::size_t extents[] = {1, 2, 3, 5, 15, 31, 32, 33, 63, 64, 65, 100, 130};
    for (int round = 0; round < 60; ++round) {
      const auto extent = [&] { return extents[random.below(std::size(extents))]; };
      const bool transposeA = random.below(2) == 0;
      const bool transposeB = random.below(2) == 0;
      check<T>(random, {transposeA, transposeB, extent(), extent(), extent()}, random.below(2) == 0 ? 1 : -2,
               random.below(2) == 0);
    }
  });
}

TEST_CASE_TEMPLATE("blocks touch nothing but their part of a matrix", T, float, double) {
  const Tensor<T> a({1, 2}, {2, 3});
  const Tensor<T> b({2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor<T> result = Tensor<T>::full({1, 3}, 7);
  Product<T> part{{false, false, 1, 1, 2}, a.data(), b.data() + 1, result.exclusiveData() + 1};
  part.steps.b = part.steps.c = 3;
  kernels::multiplyByBlocks(part);
  CHECK(result == Tensor<T>({1, 3}, {7, 19, 7}));
}
