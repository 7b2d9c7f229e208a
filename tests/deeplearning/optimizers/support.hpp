// Defines checkTable, which compares ten steps of an optimizer with numbers that were computed elsewhere.
#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "deeplearning/optimizers/tables.hpp"
#include "support/error_text.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/optimizer.hpp"
#include "tapestry/deeplearning/train.hpp"

namespace tapestry::test {

using tables::Table;

/// Trains the two weights as scalars, and as one tensor.
template <class T, class Rule>
void checkTableOf(const Table& table, const Rule& rule, double epsilon) {
  const Weight<T> a(T(0.5), rule);
  const Weight<T> b(2, rule);
  const Weight<Tensor<T>> both(Tensor<T>({2}, {T(0.5), 2}), rule);
  const auto distance = [](const auto& weight, const auto& target) {
    const auto difference = weight - target;
    return difference * difference;
  };
  for (const auto& [first, second] : table) {
    train(distance(a, T(3)) + distance(b, T(-1)) + sum(distance(both, Tensor<T>({2}, {3, -1}))))
        .blockingAwait();
    CHECK(static_cast<double>(a.data()) == doctest::Approx(first).epsilon(epsilon));
    CHECK(static_cast<double>(b.data()) == doctest::Approx(second).epsilon(epsilon));
    CHECK(static_cast<double>(both.data()(0)) == doctest::Approx(first).epsilon(epsilon));
    CHECK(static_cast<double>(both.data()(1)) == doctest::Approx(second).epsilon(epsilon));
  }
}

template <class Rule>
void checkTable(const Table& table, const Rule& rule) {
  checkTableOf<double>(table, rule, 1e-13);
  checkTableOf<float>(table, rule, 1e-5);
}

inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace tapestry::test
