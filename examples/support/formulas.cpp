#include "support/formulas.hpp"

namespace tapestry::examples {
namespace {

using X = const DoubleLayer&;

}  // namespace

const std::map<std::string, Formulas::Unary, std::less<>>& Formulas::unary() {
  static const std::map<std::string, Unary, std::less<>> formulas{
      {"-", [](X x) { return -x; }},
      {"abs", [](X x) { return abs(x); }},
      {"cos", [](X x) { return cos(x); }},
      {"elu", [](X x) { return elu(x); }},
      {"exp", [](X x) { return exp(x); }},
      {"expm1", [](X x) { return expm1(x); }},
      {"gelu", [](X x) { return gelu(x); }},
      {"log", [](X x) { return log(x); }},
      {"log1p", [](X x) { return log1p(x); }},
      {"relu", [](X x) { return relu(x); }},
      {"sigmoid", [](X x) { return sigmoid(x); }},
      {"sign", [](X x) { return sign(x); }},
      {"silu", [](X x) { return silu(x); }},
      {"sin", [](X x) { return sin(x); }},
      {"softplus", [](X x) { return softplus(x); }},
      {"sqrt", [](X x) { return sqrt(x); }},
      {"tanh", [](X x) { return tanh(x); }},
  };
  return formulas;
}

const std::map<std::string, Formulas::Binary, std::less<>>& Formulas::binary() {
  static const std::map<std::string, Binary, std::less<>> formulas{
      {"+", [](X x, X y) { return x + y; }},       {"-", [](X x, X y) { return x - y; }},
      {"*", [](X x, X y) { return x * y; }},       {"/", [](X x, X y) { return x / y; }},
      {"^", [](X x, X y) { return pow(x, y); }},   {"max", [](X x, X y) { return max(x, y); }},
      {"min", [](X x, X y) { return min(x, y); }}, {"pow", [](X x, X y) { return pow(x, y); }},
  };
  return formulas;
}

}  // namespace tapestry::examples
