#include <algorithm>
#include <cmath>
#include <utility>

#include "support/networks/random_operations.hpp"
#include "tapestry/deeplearning.hpp"

namespace tapestry::test {

bool awayFrom(double kink, const Tensor<double>& x) {
  return std::ranges::all_of(x.values(), [=](double value) { return std::abs(value - kink) > 0.02; });
}

namespace {

using Values = const Tensor<double>&;

bool anywhere(Values) { return true; }
bool awayFromZero(Values x) { return awayFrom(0, x); }
bool awayFromOne(Values x) { return awayFrom(1, x) && awayFrom(-1, x); }
bool positive(Values x) {
  return std::ranges::all_of(x.values(), [](double value) { return value > 0.2; });
}
bool notSmall(Values x) {
  return std::ranges::all_of(x.values(), [](double value) { return std::abs(value) > 0.3; });
}

bool anyPair(Values, Values) { return true; }
bool apart(Values x, Values y) { return awayFromZero(x - y); }
bool notAtOne(Values x, Values y) { return apart(x, y) && awayFromOne(x - y); }
bool toPower(Values x, Values) { return positive(x); }
bool chosen(Values x, Values) { return awayFromZero(x); }
bool divisible(Values, Values y) { return notSmall(y); }

template <class F>
RandomOperation unary(std::string expression, F function, bool (*fits)(Values) = anywhere) {
  return {1, [=](Random&, const RandomNode& a, const RandomNode&) -> std::optional<RandomResult> {
            if (!fits(a.value)) return std::nullopt;
            return std::visit([&](const auto& x) { return RandomResult{function(x), expression}; }, a.layer);
          }};
}

template <class F>
RandomOperation binary(std::string expression, F function, bool (*fits)(Values, Values) = anyPair) {
  return {2, [=](Random&, const RandomNode& a, const RandomNode& b) -> std::optional<RandomResult> {
            if (!fits(a.value, b.value)) return std::nullopt;
            return std::visit(
                [&](const auto& x, const auto& y) {
                  return RandomResult{function(x, y), expression};
                },
                a.layer, b.layer);
          }};
}

}  // namespace

std::vector<RandomOperation> elementwiseOperations() {
  return {
      unary("-$a", [](const auto& x) { return -x; }),
      unary("exp($a)", [](const auto& x) { return exp(x); }),
      unary("expm1($a)", [](const auto& x) { return expm1(x); }),
      unary("sin($a)", [](const auto& x) { return sin(x); }),
      unary("cos($a)", [](const auto& x) { return cos(x); }),
      unary("tanh($a)", [](const auto& x) { return tanh(x); }),
      unary("sigmoid($a)", [](const auto& x) { return sigmoid(x); }),
      unary("softplus($a)", [](const auto& x) { return softplus(x); }),
      unary("gelu($a)", [](const auto& x) { return gelu(x); }),
      unary("silu($a)", [](const auto& x) { return silu(x); }),
      unary(
          "log($a)", [](const auto& x) { return log(x); }, positive),
      unary(
          "sqrt($a)", [](const auto& x) { return sqrt(x); }, positive),
      unary(
          "log1p($a)", [](const auto& x) { return log1p(x); }, positive),
      unary(
          "abs($a)", [](const auto& x) { return abs(x); }, awayFromZero),
      unary(
          "sign($a)", [](const auto& x) { return sign(x); }, awayFromZero),
      unary(
          "relu($a)", [](const auto& x) { return relu(x); }, awayFromZero),
      unary(
          "leakyRelu($a, 0.2)", [](const auto& x) { return leakyRelu(x, 0.2); }, awayFromZero),
      unary(
          "elu($a)", [](const auto& x) { return elu(x); }, awayFromZero),
      unary(
          "clamp($a, -1, 1)", [](const auto& x) { return clamp(x, -1, 1); }, awayFromOne),
      unary("$a * 0.5", [](const auto& x) { return x * 0.5; }),
      unary(
          "1.0 / $a", [](const auto& x) { return 1.0 / x; }, notSmall),
      binary("$a + $b", [](const auto& x, const auto& y) { return x + y; }),
      binary("$a - $b", [](const auto& x, const auto& y) { return x - y; }),
      binary("$a * $b", [](const auto& x, const auto& y) { return x * y; }),
      binary(
          "$a / $b", [](const auto& x, const auto& y) { return x / y; }, divisible),
      binary(
          "pow($a, $b)", [](const auto& x, const auto& y) { return pow(x, y); }, toPower),
      binary(
          "min($a, $b)", [](const auto& x, const auto& y) { return min(x, y); }, apart),
      binary(
          "max($a, $b)", [](const auto& x, const auto& y) { return max(x, y); }, apart),
      binary(
          "where(relu($a), $b, $a)", [](const auto& x, const auto& y) { return where(relu(x), y, x); },
          chosen),
      binary(
          "huber($a, $b)", [](const auto& x, const auto& y) { return huber(x, y); }, notAtOne),
      binary("mse($a, $b)", [](const auto& x, const auto& y) { return mse(x, y); }),
  };
}

}  // namespace tapestry::test
