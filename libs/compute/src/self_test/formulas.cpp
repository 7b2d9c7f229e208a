#include <array>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/formula.hpp>
#include <tapestry/tensor/kernels/optimizer.hpp>

#include "self_test/tester.hpp"

namespace tapestry::detail {

namespace {

constexpr auto mixedFormula = [](auto a, auto b, auto c) {
  return where((a > b) & !(b == c), max(a, b) * exp(c / 4), sigmoid(a) - min(c, b) / (2 + c * c)) +
         sin(a) * cos(b) + tanh(c) * sqrt(1 + abs(a)) - log1p(b * b);
};

template <class T>
void testOptimizers(Tester<T>& tester) {
  const Tensor<T> w = numbers<T>({7, 9}, 31), g = numbers<T>({7, 9}, 32), m = numbers<T>({7, 9}, 33);
  const Tensor<T> squares = kernels::abs(numbers<T>({7, 9}, 34));
  constexpr double allowed = Tester<T>::tolerance;
  tester.compare("sgdStep", allowed, std::tie(w, g),
                 [](const auto& a, const auto& b) { return kernels::sgdStep(a, b, T(0.1)); });
  const auto momentum = [](const auto& a, const auto& b, const auto& c) {
    return kernels::momentumStep(a, b, c, T(0.1), T(0.9));
  };
  tester.compare("momentumStep, weight", allowed, std::tie(w, g, m),
                 [=](const auto&... x) { return momentum(x...).weight; });
  tester.compare("momentumStep, velocity", allowed, std::tie(w, g, m),
                 [=](const auto&... x) { return momentum(x...).velocity; });
  const auto adaptive = [](const auto& a, const auto& b, const auto& c) {
    return kernels::adaptiveStep(a, b, c, {T(0.1), T(0.9), T(0.1), T(1e-3)});
  };
  tester.compare("adaptiveStep, weight", allowed, std::tie(w, g, squares),
                 [=](const auto&... x) { return adaptive(x...).weight; });
  tester.compare("adaptiveStep, squares", allowed, std::tie(w, g, squares),
                 [=](const auto&... x) { return adaptive(x...).squares; });
  const auto adam = [](const auto& a, const auto& b, const auto& c, const auto& d) {
    return kernels::adamStep(a, b, c, d, {.epsilon = T(1e-3), .weightDecay = T(0.01)}, 3);
  };
  tester.compare("adamStep, weight", allowed, std::tie(w, g, m, squares),
                 [=](const auto&... x) { return adam(x...).weight; });
  tester.compare("adamStep, first moment", allowed, std::tie(w, g, m, squares),
                 [=](const auto&... x) { return adam(x...).firstMoment; });
  tester.compare("adamStep, second moment", allowed, std::tie(w, g, m, squares),
                 [=](const auto&... x) { return adam(x...).secondMoment; });
}

}  // namespace

template <class T>
void testFormulas(Tester<T>& tester) {
  const Tensor<T> a = numbers<T>({6, 20}, 35), b = numbers<T>({20}, 36), c = numbers<T>({6, 1}, 37);
  const Tensor<T> delta = numbers<T>({6, 20}, 38);
  constexpr double allowed = Tester<T>::tolerance;
  tester.compare("formula", allowed, std::tie(a, b, c),
                 [](const auto&... x) { return kernels::evaluate("selfTest", mixedFormula, x...); });
  for (const std::size_t operand : {0u, 1u, 2u})
    tester.compare("delta " + std::to_string(operand) + " of a formula", allowed, std::tie(delta, a, b, c),
                   [=](const auto& d, const auto&... x) {
                     const kernels::DualGradient<decltype(mixedFormula)> gradient{mixedFormula};
                     return kernels::differentiate(gradient, d, std::array{true, true, true}, x...)[operand];
                   });
  testOptimizers(tester);
}

template void testFormulas(Tester<float>&);
template void testFormulas(Tester<double>&);

}  // namespace tapestry::detail
