#include <tapestry/tensor/table.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

Tensor<double> rowsOf(std::size_t n, double first) {
  auto rows = Tensor<double>::zeros({n, 2});
  for (std::size_t i = 0; i < 2 * n; ++i) rows.exclusiveData()[i] = first + static_cast<double>(i);
  return rows;
}

}  // namespace

TEST_CASE("a table gives rows at any indices, in their shape") {
  const Table<double> table(rowsOf(4, 0));
  CHECK(table.shape() == Shape{4, 2});
  CHECK(table.gather({3, 0, 3}) == Tensor<double>({3, 2}, {6, 7, 0, 1, 6, 7}));
  CHECK(table.gather(Indices({1, 2}, {1, 2})) == Tensor<double>({1, 2, 2}, {2, 3, 4, 5}));
  CHECK(table.dense() == rowsOf(4, 0));
}

TEST_CASE("a new version has other rows, and the old one keeps its own, settled or not") {
  const Table<double> before(rowsOf(4, 0));
  const auto after = before.with({1, 3}, rowsOf(2, 10));
  const Tensor<double> expected({4, 2}, {0, 1, 10, 11, 4, 5, 12, 13});
  CHECK(before.dense() == rowsOf(4, 0));
  CHECK(after.dense() == expected);
  after.settle();
  CHECK(before.dense() == rowsOf(4, 0));
  CHECK(after.dense() == expected);
  before.settle();
  CHECK(before.dense() == rowsOf(4, 0));
  CHECK(after.gather({3, 2}) == Tensor<double>({2, 2}, {12, 13, 4, 5}));
}

TEST_CASE("a table takes the values that it is made of, and leaves them to their owner") {
  const auto values = rowsOf(2, 0);
  const Table<double> table(values);
  const auto given = rowsOf(1, 5);
  table.with({0}, given).settle();
  CHECK(values == rowsOf(2, 0));
  CHECK(given == rowsOf(1, 5));
}

TEST_CASE_TEMPLATE("rows of any width are gathered, and change places when a version is settled", T, float,
                   double) {
  for (const std::size_t width : {1u, 2u, 3u, 5u, 7u, 8u, 15u, 16u, 17u, 33u, 70u}) {
    CAPTURE(width);
    Random random(static_cast<unsigned>(width));
    const auto rows = random.tensor<T>({6, width});
    const auto others = random.tensor<T>({2, width});
    const auto isRow = [&](const Tensor<T>& a, std::size_t i, const Tensor<T>& b, std::size_t j) {
      return std::equal(a.data() + i * width, a.data() + (i + 1) * width, b.data() + j * width);
    };
    const Table<T> before(rows);
    const auto after = before.with({0, 4}, others);
    after.settle();
    for (const bool changed : {false, true}) {
      const auto gathered = (changed ? after : before).gather({4, 5, 0, 4});
      const Tensor<T>& from = changed ? others : rows;
      CHECK(isRow(gathered, 0, from, changed ? 1 : 4));
      CHECK(isRow(gathered, 1, rows, 5));
      CHECK(isRow(gathered, 2, from, 0));
      CHECK(isRow(gathered, 3, from, changed ? 1 : 4));
    }
  }
}

TEST_CASE("any tree of versions, settled in any order, keeps every version as it was made") {
  std::mt19937_64 generator(5);
  std::vector<Table<double>> versions{Table<double>(rowsOf(8, 0))};
  std::vector<Tensor<double>> expected{rowsOf(8, 0)};
  for (int step = 0; step < 300; ++step) {
    const std::size_t base = generator() % versions.size();
    if (generator() % 3 == 0) {
      versions[base].settle();
    } else {
      std::vector<std::int64_t> indices;
      for (std::int64_t i = 0; i < 8; ++i)
        if (generator() % 3 == 0) indices.push_back(i);
      const auto rows = rowsOf(indices.size(), static_cast<double>(step) * 100);
      auto dense = expected[base];
      for (std::size_t i = 0; i < indices.size(); ++i)
        for (std::size_t j = 0; j < 2; ++j)
          dense.exclusiveData()[static_cast<std::size_t>(indices[i]) * 2 + j] = rows(i, j);
      versions.push_back(versions[base].with(indices, rows));
      expected.push_back(dense);
    }
    if (versions.size() > 12) {
      const auto dropped = static_cast<std::ptrdiff_t>(generator() % versions.size());
      versions.erase(versions.begin() + dropped);
      expected.erase(expected.begin() + dropped);
    }
    for (std::size_t i = 0; i < versions.size(); ++i) REQUIRE(versions[i].dense() == expected[i]);
  }
}

TEST_CASE("threads that read a version see it whole while others are settled") {
  const std::size_t n = 64;
  Table<double> current(Tensor<double>::zeros({n, 2}));
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(static_cast<std::int64_t>(i));
  std::atomic<bool> done{false};
  std::atomic<int> torn{0};
  std::atomic<int> reads{0};
  const Table<double> old = current;
  std::jthread reader([&] {
    while (!done || reads < 100) {
      torn += old.gather(all) != Tensor<double>::zeros({n, 2});
      ++reads;
    }
  });
  for (int step = 1; step <= 500; ++step) {
    current = current.with(all, Tensor<double>::full({n, 2}, step));
    current.settle();
  }
  done = true;
  reader.join();
  CHECK(torn == 0);
  CHECK(current.dense() == Tensor<double>::full({n, 2}, 500));
}

TEST_CASE("a long history of versions is dropped without recursion") {
  const Table<double> first(rowsOf(2, 0));
  Table<double> current = first;
  for (int step = 0; step < 200'000; ++step) {
    current = current.with({step % 2}, rowsOf(1, step));
    if (step % 2 == 0) current.settle();
  }
  CHECK(current.gather({1}) == rowsOf(1, 199'999));
  CHECK(first.gather({1}) == rowsOf(1, 2));
}

TEST_CASE("a row out of range and a table without rows are refused") {
  const Table<double> table(rowsOf(4, 0));
  CHECK_THROWS_WITH(
      static_cast<void>(table.gather({0, 4})),
      "tapestry::Table: a row is out of range, got 4 of 4 rows, expected at least 0 and less than that");
  CHECK_THROWS_WITH(
      static_cast<void>(table.gather({-1})),
      "tapestry::Table: a row is out of range, got -1 of 4 rows, expected at least 0 and less than that");
  CHECK_THROWS_WITH(Table<double>(Tensor<double>()),
                    "tapestry::Table: a scalar has no rows, got [], expected at least one axis");
  CHECK(Table<double>(Tensor<double>::zeros({0, 3})).gather(Indices(std::vector<std::int64_t>{})).size() ==
        0);
}
