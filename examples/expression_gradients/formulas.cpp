#include "expression_gradients/formulas.hpp"

namespace tapestry::examples {
namespace {

using Layers = const Formula::Layers&;
using Constants = const Formula::Constants&;
using Make = DoubleLayer (*)(Layers, Constants);

Formula unary(Make make) { return {"x", 1, 0, 0, make}; }
Formula binary(Make make, std::string parameters = "x, y") { return {std::move(parameters), 2, 0, 0, make}; }

}  // namespace

std::string Formula::mismatch(const std::string& name, std::size_t count) const {
  return '"' + name + "\" with " + std::to_string(count) + (count == 1 ? " argument" : " arguments") +
         ", expected " + name + "(" + parameters + ")" +
         (optional ? ", of which the last may be missing" : "");
}

const std::map<std::string, Formula, std::less<>>& formulas() {
  static const std::map<std::string, Formula, std::less<>> all{
      {"+", binary([](Layers x, Constants) { return x[0] + x[1]; })},
      {"*", binary([](Layers x, Constants) { return x[0] * x[1]; })},
      {"/", binary([](Layers x, Constants) { return x[0] / x[1]; })},
      {"^", binary([](Layers x, Constants) { return pow(x[0], x[1]); })},
      {"-", {"x, y", 2, 0, 1, [](Layers x, Constants) { return x.size() == 1 ? -x[0] : x[0] - x[1]; }}},

      {"abs", unary([](Layers x, Constants) { return abs(x[0]); })},
      {"cos", unary([](Layers x, Constants) { return cos(x[0]); })},
      {"exp", unary([](Layers x, Constants) { return exp(x[0]); })},
      {"expm1", unary([](Layers x, Constants) { return expm1(x[0]); })},
      {"gelu", unary([](Layers x, Constants) { return gelu(x[0]); })},
      {"log", unary([](Layers x, Constants) { return log(x[0]); })},
      {"log1p", unary([](Layers x, Constants) { return log1p(x[0]); })},
      {"relu", unary([](Layers x, Constants) { return relu(x[0]); })},
      {"sigmoid", unary([](Layers x, Constants) { return sigmoid(x[0]); })},
      {"sign", unary([](Layers x, Constants) { return sign(x[0]); })},
      {"silu", unary([](Layers x, Constants) { return silu(x[0]); })},
      {"sin", unary([](Layers x, Constants) { return sin(x[0]); })},
      {"softplus", unary([](Layers x, Constants) { return softplus(x[0]); })},
      {"sqrt", unary([](Layers x, Constants) { return sqrt(x[0]); })},
      {"tanh", unary([](Layers x, Constants) { return tanh(x[0]); })},

      {"max", binary([](Layers x, Constants) { return max(x[0], x[1]); })},
      {"min", binary([](Layers x, Constants) { return min(x[0], x[1]); })},
      {"pow", binary([](Layers x, Constants) { return pow(x[0], x[1]); }, "base, exponent")},
      {"mse", binary([](Layers x, Constants) { return mse(x[0], x[1]); }, "predicted, expected")},
      {"hinge", binary([](Layers x, Constants) { return hinge(x[0], x[1]); }, "score, label")},
      {"binaryCrossEntropyWithLogits",
       binary([](Layers x, Constants) { return binaryCrossEntropyWithLogits(x[0], x[1]); }, "logit, target")},
      {"where", {"condition, x, y", 3, 0, 0, [](Layers x, Constants) { return where(x[0], x[1], x[2]); }}},

      {"clamp", {"x, low, high", 1, 2, 0, [](Layers x, Constants c) { return clamp(x[0], c[0], c[1]); }}},
      {"leakyRelu", {"x, slope", 1, 1, 0, [](Layers x, Constants c) { return leakyRelu(x[0], c[0]); }}},
      {"elu",
       {"x, alpha", 1, 1, 1, [](Layers x, Constants c) { return c.empty() ? elu(x[0]) : elu(x[0], c[0]); }}},
      {"huber",
       {"predicted, expected, width", 2, 1, 1,
        [](Layers x, Constants c) { return c.empty() ? huber(x[0], x[1]) : huber(x[0], x[1], c[0]); }}},
  };
  return all;
}

}  // namespace tapestry::examples
