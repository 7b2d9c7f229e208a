#include <tapestry/tensor/kernels/matmul.hpp>

#include <atomic>
#include <span>
#include <thread>

#include <tapestry/tensor/for_each_part.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/transpose.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "support/networks/thread_helpers.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using kernels::Transpose;
using namespace tapestry::test;

namespace {

template <class T>
Tensor<T> plainProduct(const Tensor<T>& a, const Tensor<T>& b) {
  const std::size_t rows = a.shape()[0];
  const std::size_t inner = a.shape()[1];
  const std::size_t columns = b.shape()[1];
  auto c = Tensor<T>::zeros({rows, columns});
  T* const out = c.exclusiveData();
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t j = 0; j < columns; ++j)
        out[i * columns + j] += a.data()[i * inner + k] * b.data()[k * columns + j];
  return c;
}

template <class T>
Tensor<T> stored(const Tensor<T>& matrix, Transpose transpose) {
  return transpose == Transpose::yes ? kernels::transpose(matrix) : matrix;
}

/// Calls check(left, transposeA, right, transposeB) with both matrices stored as they are and transposed.
template <class T>
void storedEachWay(const Tensor<T>& a, const Tensor<T>& b, const auto& check) {
  for (const Transpose transposeA : {Transpose::no, Transpose::yes})
    for (const Transpose transposeB : {Transpose::no, Transpose::yes})
      check(stored(a, transposeA), transposeA, stored(b, transposeB), transposeB);
}

/// Checks that the product is the expected one, however the matrices are stored.
template <class T>
void checkProduct(const Tensor<T>& a, const Tensor<T>& b, const Tensor<T>& expected) {
  storedEachWay(a, b, [&](const auto& left, Transpose transposeA, const auto& right, Transpose transposeB) {
    CHECK(kernels::matmul(left, transposeA, right, transposeB) == expected);
  });
}

}  // namespace

TEST_CASE_TEMPLATE("matrices of any shape, each transposed or not, are multiplied exactly", T, float,
                   double) {
  onEachInstructionSet([] {
    Random random(14);
    for (int round = 0; round < 200; ++round) {
      const auto extent = [&] { return random.below(3) == 0 ? random.below(3) : random.below(70); };
      const Shape shapeA{extent(), extent()};
      const auto a = random.integers<T>(shapeA);
      const auto b = random.integers<T>({shapeA[1], extent()});
      CAPTURE(tapestry::toString(a.shape()));
      CAPTURE(tapestry::toString(b.shape()));
      checkProduct(a, b, plainProduct(a, b));
    }
  });
}

TEST_CASE_TEMPLATE("a vector times a matrix of any width is exact, on whichever side it stands", T, float,
                   double) {
  onEachInstructionSet([] {
    Random random(16);
    for (const std::size_t k : {2, 3, 4, 5, 7, 8, 9, 17})
      for (std::size_t n = 1; n <= 66; ++n) {
        CAPTURE(k);
        CAPTURE(n);
        const auto a = random.integers<T>({1, k});
        const auto b = random.integers<T>({k, n});
        const auto expected = plainProduct(a, b);
        checkProduct(a, b, expected);
        checkProduct(kernels::transpose(b), kernels::transpose(a), kernels::transpose(expected));
      }
  });
}

TEST_CASE("large products of every kind of shape are exact, by whichever library") {
  Random random(15);
  for (const auto [m, k, n] : {std::array<std::size_t, 3>{16, 3072, 64},
                               {3072, 16, 64},
                               {16, 64, 3072},
                               {64, 784, 10},
                               {128, 300, 256},
                               {1, 784, 64},
                               {784, 1, 64},
                               {784, 64, 1},
                               {1, 784, 1}}) {
    const auto a = random.integers<float>({m, k});
    const auto b = random.integers<float>({k, n});
    checkProduct(a, b, plainProduct(a, b));
  }
}

TEST_CASE_TEMPLATE("products in parts, which threads share, are exact, and added to what was there", T, float,
                   double) {
  tapestry::test::ThreadHelpers helpers(1);
  const tapestry::HelperScope scope(&helpers);
  Random random(18);
  for (const auto [m, k, n] : {std::array<std::size_t, 3>{16, 3000, 70},  // along the depth
                               {3000, 16, 70},                            // the rows
                               {20, 70, 3000},                            // the columns
                               {400, 500, 200}}) {
    const auto a = random.integers<T>({m, k});
    const auto b = random.integers<T>({k, n});
    const auto product = plainProduct(a, b);
    checkProduct(a, b, product);
    storedEachWay(a, b, [&](const auto& left, Transpose transposeA, const auto& right, Transpose transposeB) {
      for (const T alpha : {T{1}, T{2}}) {
        auto c = random.integers<T>({m, n});
        const auto expected = kernels::add(c, kernels::scale(product, alpha));
        CHECK(kernels::addProduct(c, alpha, left, transposeA, right, transposeB) == expected);
        CHECK(kernels::addProduct(std::move(c), alpha, left, transposeA, right, transposeB) == expected);
      }
    });
  }
}

TEST_CASE("16 rows times a transposed matrix are exact, alone and added to another matrix") {
  onEachInstructionSet([] {
    Random random(21);
    for (const std::size_t k : {1, 3, 16, 64, 200})
      for (const std::size_t n : {1, 5, 20, 48, 50, 100}) {
        CAPTURE(k);
        CAPTURE(n);
        const auto a = random.integers<float>({16, k});
        const auto b = random.integers<float>({n, k});
        auto c = random.integers<float>({16, n});
        const auto product = plainProduct(a, kernels::transpose(b));
        const auto sum = kernels::add(c, product);
        CHECK(kernels::matmul(a, Transpose::no, b, Transpose::yes) == product);
        CHECK(kernels::matmul(kernels::transpose(a), Transpose::yes, b, Transpose::yes) == product);
        CHECK(kernels::addProduct(c, 1, a, Transpose::no, b, Transpose::yes) == sum);
        CHECK(kernels::addProduct(std::move(c), 1, a, Transpose::no, b, Transpose::yes) == sum);
      }
  });
}

TEST_CASE_TEMPLATE("a product plus a row is the product and then the sum, to the last bit, in parts too", T,
                   float, double) {
  onEachInstructionSet([] {
    Random random(20);
    const auto check = [&](std::size_t m, std::size_t k, std::size_t n) {
      CAPTURE(m);
      CAPTURE(k);
      CAPTURE(n);
      const auto a = random.tensor<T>({m, k});
      const auto b = random.tensor<T>({k, n});
      const auto row = random.tensor<T>({n});
      CHECK(kernels::affine(a, b, row, "affine") == kernels::add(kernels::matmul(a, b), row));
    };
    for (const std::size_t k : {1, 2, 63, 64, 65, 200})
      for (const std::size_t n : {1, 2, 5, 31, 32, 50, 64, 70}) {
        check(16, k, n);
        check(7, k, n);
        check(1, k, n);
      }
    tapestry::test::ThreadHelpers helpers(1);
    const tapestry::HelperScope scope(&helpers);
    check(256, 64, 64);  // along the rows, and by tiles
    check(700, 64, 64);
    check(64, 64, 700);   // the columns
    check(16, 3000, 70);  // the depth
  });
}

TEST_CASE("a product in parts is the same to the last bit with any helpers") {
  Random random(19);
  const auto thirds = [&](const Shape& shape) {
    auto values = random.integers<float>(shape);
    for (float& x : std::span(values.exclusiveData(), values.size())) x /= 3;
    return values;
  };
  const auto a = thirds({16, 3072});
  const auto b = thirds({3072, 64});
  const auto product = [&](std::size_t threads) {
    tapestry::test::ThreadHelpers helpers(threads);
    const tapestry::HelperScope scope(&helpers);
    return kernels::matmul(a, b);
  };
  const auto alone = product(0);
  for (int round = 0; round < 50; ++round) CHECK(product(2) == alone);
}

TEST_CASE_TEMPLATE("a vector is a row on the left and a column on the right, and its axis vanishes", T, float,
                   double) {
  const Tensor<T> matrix({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor<T> two({2}, {1, 2});
  const Tensor<T> three({3}, {1, 0, -1});
  CHECK(kernels::matmul(two, matrix) == Tensor<T>({3}, {9, 12, 15}));
  CHECK(kernels::matmul(matrix, three) == Tensor<T>({2}, {-2, -2}));
  CHECK(kernels::matmul(three, Transpose::yes, matrix, Transpose::yes) == Tensor<T>({2}, {-2, -2}));
  CHECK(kernels::matmul(matrix, Transpose::yes, two, Transpose::yes) == Tensor<T>({3}, {9, 12, 15}));
  CHECK(kernels::matmul(three, three) == Tensor<T>::scalar(2));
  CHECK(kernels::matmul(two, Tensor<T>({5, 2, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1})) ==
        Tensor<T>::full({5, 1}, 3));
}

TEST_CASE_TEMPLATE("stacks of matrices are multiplied pair by pair, and broadcast", T, float, double) {
  Random random(16);
  for (const auto& [left, right] : {std::pair<Shape, Shape>{{4}, {4}},
                                    {{2, 3}, {2, 3}},
                                    {{2, 1}, {3}},
                                    {{}, {2, 3}},
                                    {{2, 3}, {}},
                                    {{1, 3}, {2, 1}},
                                    {{0}, {1}},
                                    {{2, 0, 2}, {2}}}) {
    const Shape batch = tapestry::broadcast(left, right, "test");
    const auto withMatrix = [](const Shape& leading, std::size_t rows, std::size_t columns) {
      std::vector<std::size_t> extents(leading.begin(), leading.end());
      extents.insert(extents.end(), {rows, columns});
      return Shape(extents);
    };
    for (const Transpose transposeA : {Transpose::no, Transpose::yes})
      for (const Transpose transposeB : {Transpose::no, Transpose::yes}) {
        const Shape one = transposeA == Transpose::yes ? Shape{5, 4} : Shape{4, 5};
        const Shape two = transposeB == Transpose::yes ? Shape{3, 5} : Shape{5, 3};
        const auto a = random.integers<T>(withMatrix(left, one[0], one[1]));
        const auto b = random.integers<T>(withMatrix(right, two[0], two[1]));
        const auto c = kernels::matmul(a, transposeA, b, transposeB);
        REQUIRE(c.shape() == withMatrix(batch, 4, 3));
        for (std::size_t i = 0; i < batch.size(); ++i) {
          const auto matrixAt = [](const Tensor<T>& stack, std::size_t index, const Shape& shape) {
            return Tensor<T>(shape, stack.values().subspan(index * shape.size(), shape.size()));
          };
          const auto pairA = stored(matrixAt(a, broadcastIndex(i, batch, left), one), transposeA);
          const auto pairB = stored(matrixAt(b, broadcastIndex(i, batch, right), two), transposeB);
          CHECK(matrixAt(c, i, {4, 3}) == plainProduct(pairA, pairB));
        }
      }
  }
}

TEST_CASE_TEMPLATE("addProduct adds in place to matrices, rows and columns, with every instruction set", T,
                   float, double) {
  onEachInstructionSet([] {
    Random random(17);
    for (const auto [m, k, n] :
         {std::array<std::size_t, 3>{5, 7, 3}, {5, 1, 9}, {9, 1, 1}, {1, 4, 6}, {4, 0, 3}, {40, 50, 60}}) {
      const auto a = random.integers<T>({m, k});
      const auto b = random.integers<T>({k, n});
      const auto product = plainProduct(a, b);
      for (const T alpha : {T{1}, T{3}}) {
        auto c = random.integers<T>({m, n});
        const auto expected = kernels::add(c, kernels::scale(product, alpha));
        const T* const buffer = c.data();
        c = kernels::addProduct(std::move(c), alpha, stored(a, Transpose::yes), Transpose::yes, b,
                                Transpose::no);
        CHECK(c.data() == buffer);
        CHECK(c == expected);
      }
    }
  });
}

TEST_CASE("addProduct leaves other handles of the accumulator, and its operands, as they were") {
  const Tensor<float> a({2, 2}, {1, 2, 3, 4});
  auto c = Tensor<float>::full({2, 2}, 1);
  const auto other = c;
  c = kernels::addProduct(std::move(c), 1, a, Transpose::no, a, Transpose::no);
  CHECK(other == Tensor<float>::full({2, 2}, 1));
  CHECK(c == Tensor<float>({2, 2}, {8, 11, 16, 23}));

  const Tensor<float> square({2, 2}, {1, 2, 3, 4});
  CHECK(kernels::addProduct(square, 1, square, Transpose::no, square, Transpose::no) ==
        Tensor<float>({2, 2}, {8, 12, 18, 26}));
  CHECK(square == a);
}

TEST_CASE("a product does not read what its memory held before") {
  const auto leaveNaN = [] { Tensor<float>::full({2, 2}, std::numeric_limits<float>::quiet_NaN()); };
  const Tensor<float> a({2, 1}, {1, 2});
  leaveNaN();
  const auto product = kernels::matmul(a, Transpose::no, a, Transpose::yes);
  CHECK(product == Tensor<float>({2, 2}, {1, 2, 2, 4}));
  const auto high = Tensor<float>::zeros({2, 0});
  const auto wide = Tensor<float>::zeros({0, 2});
  leaveNaN();
  const auto withoutTerms = kernels::matmul(high, wide);
  CHECK(withoutTerms == Tensor<float>::zeros({2, 2}));
}

TEST_CASE_TEMPLATE("addProduct adds a scaled product, in place where it may, exactly for any shape", T, float,
                   double) {
  Random random(33);
  for (int round = 0; round < 200; ++round) {
    const auto extent = [&] { return random.below(4) == 0 ? random.below(3) : random.below(150); };
    const auto a = random.integers<T>({extent(), extent()});
    const auto b = random.integers<T>({a.shape()[1], extent()});
    CAPTURE(tapestry::toString(a.shape()));
    CAPTURE(tapestry::toString(b.shape()));
    auto c = random.integers<T>({a.shape()[0], b.shape()[1]});
    const Tensor<T> before(c.shape(), c.values());
    const auto expected = kernels::add(c, kernels::scale(plainProduct(a, b), T{-2}));
    storedEachWay(a, b, [&](const auto& left, Transpose transposeA, const auto& right, Transpose transposeB) {
      CHECK(kernels::addProduct(c, -2, left, transposeA, right, transposeB) == expected);
      CHECK(c == before);
    });
    const T* const place = c.data();
    const auto sum = kernels::addProduct(std::move(c), -2, a, Transpose::no, b, Transpose::no);
    CHECK(sum == expected);
    CHECK(sum.data() == place);
  }
}

TEST_CASE("addProduct says what does not fit") {
  const auto square = Tensor<float>::zeros({2, 2});
  CHECK_THROWS_WITH_AS(
      kernels::addProduct(Tensor<float>::zeros({2, 3}), 1, square, Transpose::no, square, Transpose::no),
      "tapestry::matmul: the accumulator has the wrong shape, got [2, 3], expected [2, 2]", ShapeError);
  CHECK_THROWS_AS(
      kernels::addProduct(square, 1, Tensor<float>::zeros({2}), Transpose::no, square, Transpose::no),
      ShapeError);
}

TEST_CASE("shapes that do not fit are named") {
  const auto zeros = [](const Shape& shape) { return Tensor<float>::zeros(shape); };
  CHECK_THROWS_WITH_AS(
      kernels::matmul(zeros({2, 3}), zeros({4, 5})),
      "tapestry::matmul: inner dimensions differ, got [2, 3] and [4, 5], expected [.., K] and [K, ..]",
      ShapeError);
  CHECK_THROWS_WITH_AS(kernels::matmul(zeros({2, 3}), Transpose::yes, zeros({3, 5}), Transpose::no),
                       "tapestry::matmul: inner dimensions differ, got [2, 3] transposed and [3, 5], "
                       "expected [.., K] and [K, ..]; the first operand fits with Transpose::no",
                       ShapeError);
  CHECK_THROWS_WITH_AS(
      kernels::matmul(zeros({2, 3}), zeros({5, 3})),
      "tapestry::matmul: inner dimensions differ, got [2, 3] and [5, 3], expected [.., K] and "
      "[K, ..]; the second operand fits with Transpose::yes",
      ShapeError);
  CHECK_THROWS_WITH_AS(
      kernels::matmul(zeros({2, 3, 4}), zeros({5, 4, 3})),
      "tapestry::matmul: leading axes do not broadcast, got [2, 3, 4] and [5, 4, 3], expected extents "
      "that are equal or 1 before the last two axes",
      ShapeError);
  CHECK_THROWS_WITH_AS(
      kernels::matmul(zeros({}), zeros({2})),
      "tapestry::matmul: a scalar is not a matrix, got [] and [2], expected operands with at least one axis",
      ShapeError);
  CHECK_THROWS_AS(kernels::matmul(zeros({3}), zeros({4})), ShapeError);
}

TEST_CASE("a stack of products that no memory can hold is too large") {
  constexpr std::size_t many = std::size_t{1} << 31;
  const auto shape = [](const Shape& a, const Shape& b) {
    return kernels::matmulShape(a, Transpose::no, b, Transpose::no);
  };
  CHECK_THROWS_WITH_AS(shape({many, 1, 1, 1}, {1, many, 1, 1}),
                       "tapestry::Shape: too large, got [2147483648, 2147483648], expected a size that "
                       "memory can hold",
                       ShapeError);
}

TEST_CASE("several threads multiply at once, and every result is exact") {
  Random random(18);
  struct Job {
    Tensor<float> a, b, expected;
  };
  std::vector<Job> jobs;
  for (const auto [m, k, n] :
       {std::array<std::size_t, 3>{16, 64, 64}, {16, 300, 64}, {33, 65, 17}, {64, 64, 256}, {4, 4, 4}}) {
    const auto a = random.integers<float>({m, k});
    const auto b = random.integers<float>({k, n});
    jobs.push_back({a, b, plainProduct(a, b)});
  }
  std::atomic<int> wrong{0};
  const auto work = [&] {
    for (int round = 0; round < 300; ++round)
      for (const Job& job : jobs)
        if (kernels::matmul(job.a, job.b) != job.expected) ++wrong;
  };
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  CHECK(wrong == 0);
}
