#include <tapestry/tensor/formula/loop.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "tapestry/tensor/formula/functions.hpp"

using namespace tapestry::formula;

namespace {

/// Runs the loop as forEachElement does, and by each instruction set that this machine has.
template <class T, std::size_t inputs, std::size_t outputs, class F>
void onEachSet(const F& f, const std::array<Operand<T>, inputs>& from, const std::array<T*, outputs>& to,
               std::size_t n, const auto& check) {
  forEachElement(f, from, to, n);
  check();
  detail::runOnBaseline(f, from, to, n);
  check();
#if defined(__x86_64__)
  const auto best = detail::instructionSet();
  if (best != detail::InstructionSet::baseline) {
    detail::runOnAvx2(f, from, to, n);
    check();
  }
  if (best == detail::InstructionSet::avx512) {
    detail::runOnAvx512(f, from, to, n);
    check();
  }
#endif
}

template <class T>
std::vector<T> upTo(std::size_t n) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(i) / 8;
  return values;
}

}  // namespace

TEST_CASE_TEMPLATE("every element is computed, and no other memory is touched", T, float, double) {
  for (const std::size_t n : {0, 1, 7, 31, 32, 33, 63, 64, 65, 200, 1000}) {
    CAPTURE(n);
    const auto x = upTo<T>(n + 1);
    const T factor = 3;
    std::vector<T> sum(n + 1, -1), product(n + 1, -1);
    const auto f = [](const auto& put, auto a, auto b) {
      put(0, a + b);
      put(1, a * b);
    };
    const std::array<Operand<T>, 2> from{{{x.data(), false}, {&factor, true}}};
    onEachSet(f, from, std::array{sum.data(), product.data()}, n, [&] {
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(sum[i] == x[i] + 3);
        CHECK(product[i] == x[i] * 3);
      }
      CHECK(sum[n] == -1);
      CHECK(product[n] == -1);
      std::fill(sum.begin(), sum.end(), T(-1));
      std::fill(product.begin(), product.end(), T(-1));
    });
  }
}

TEST_CASE_TEMPLATE("a result takes the place of an operand, or is dropped", T, float, double) {
  constexpr std::size_t n = 100;
  auto x = upTo<T>(n);
  const auto exact = upTo<T>(n);
  const auto f = [](const auto& put, auto a) {
    put(0, a * 2);
    put(1, a);
  };
  forEachElement(f, std::array{Operand<T>{x.data(), false}}, std::array<T*, 2>{x.data(), nullptr}, n);
  for (std::size_t i = 0; i < n; ++i) CHECK(x[i] == exact[i] * 2);
}

TEST_CASE_TEMPLATE("functions give the same in a loop as alone, but for rounding", T, float, double) {
  constexpr std::size_t n = 301;
  const auto x = upTo<T>(n);
  std::vector<T> y(n);
  const auto formula = [](auto a) { return where(a > 1, log(a) * sin(a), tanh(a) + sqrt(a) - exp(-a)); };
  const auto f = [&](const auto& put, auto a) { put(0, formula(a)); };
  onEachSet(f, std::array{Operand<T>{x.data(), false}}, std::array{y.data()}, n, [&] {
    for (std::size_t i = 0; i < n; ++i)
      CHECK(y[i] == doctest::Approx(formula(Number<T>(x[i])).value()).epsilon(1e-5));
  });
}
