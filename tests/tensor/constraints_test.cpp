// A call with a wrong argument is refused by constraints: `requires` sees that.
#include <doctest/doctest.h>

#include <array>
#include <concepts>
#include <filesystem>
#include <string>

#include "support/callable.hpp"
#include "tapestry/tensor.hpp"

using namespace tapestry;

namespace refusal {

using Floats = Tensor<float>;
using Doubles = Tensor<double>;

// Each line: operands that the function accepts, and operands that it refuses.

#define TAPESTRY_UNARY(name)                            \
  TAPESTRY_ACCEPTS(kernels::name, (Floats), (Nothing)); \
  static_assert(!TAPESTRY_CALLABLE(kernels::name, int))
#define TAPESTRY_BINARY(name)                                           \
  TAPESTRY_ACCEPTS(kernels::name, (Floats, Floats), (Floats, Doubles)); \
  static_assert(!TAPESTRY_CALLABLE(kernels::name, Nothing, double))

// of scalars and tensors
TAPESTRY_UNARY(negate);
TAPESTRY_UNARY(abs);
TAPESTRY_UNARY(sign);
TAPESTRY_UNARY(sqrt);
TAPESTRY_UNARY(exp);
TAPESTRY_UNARY(expm1);
TAPESTRY_UNARY(log);
TAPESTRY_UNARY(log1p);
TAPESTRY_UNARY(sin);
TAPESTRY_UNARY(cos);
TAPESTRY_UNARY(relu);
TAPESTRY_UNARY(tanh);
TAPESTRY_UNARY(sigmoid);
TAPESTRY_UNARY(softplus);
TAPESTRY_UNARY(silu);
TAPESTRY_UNARY(gelu);
TAPESTRY_UNARY(sum);
TAPESTRY_UNARY(mean);
TAPESTRY_UNARY(magnitude);
TAPESTRY_UNARY(squaredNorm);
TAPESTRY_UNARY(shapeOf);
TAPESTRY_BINARY(add);
TAPESTRY_BINARY(subtract);
TAPESTRY_BINARY(multiply);
TAPESTRY_BINARY(divide);
TAPESTRY_BINARY(maximum);
TAPESTRY_BINARY(minimum);
TAPESTRY_BINARY(where);
TAPESTRY_BINARY(unless);
TAPESTRY_BINARY(greater);
TAPESTRY_BINARY(greaterEqual);
TAPESTRY_BINARY(less);
TAPESTRY_BINARY(lessEqual);
TAPESTRY_BINARY(equal);
TAPESTRY_BINARY(notEqual);
TAPESTRY_BINARY(power);
TAPESTRY_ACCEPTS(kernels::reluDerivative, (double, double), (double, Nothing));
TAPESTRY_ACCEPTS(kernels::tanhDerivative, (double, double), (double, Nothing));
TAPESTRY_ACCEPTS(kernels::sigmoidDerivative, (double, double), (double, Nothing));
TAPESTRY_ACCEPTS(kernels::absDerivative, (double, double), (double, Nothing));
TAPESTRY_ACCEPTS(kernels::siluDerivative, (double, double), (double, Nothing));
TAPESTRY_ACCEPTS(kernels::geluDerivative, (double, double), (double, Nothing));
TAPESTRY_ACCEPTS(kernels::maximumDerivativeLeft, (double, double, double), (double, double, Nothing));
TAPESTRY_ACCEPTS(kernels::powerDerivativeLeft, (double, double, double), (double, double, Nothing));
TAPESTRY_ACCEPTS(kernels::powerDerivativeRight, (double, double, double), (double, double, Nothing));
TAPESTRY_ACCEPTS(kernels::leakyRelu, (Floats, double), (Nothing, double));
TAPESTRY_ACCEPTS(kernels::leakyReluDerivative, (Floats, Floats, double), (Floats, Nothing, double));
TAPESTRY_ACCEPTS(kernels::elu, (Floats, double), (Nothing, double));
TAPESTRY_ACCEPTS(kernels::eluDerivative, (Floats, Floats, double), (Floats, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::scale, Floats, double) &&
              !TAPESTRY_CALLABLE(kernels::scale, Nothing, double) &&
              !TAPESTRY_CALLABLE(kernels::scale, Floats, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::sgdStep, Floats, Floats, double) &&
              !TAPESTRY_CALLABLE(kernels::sgdStep, Floats, Doubles, double) &&
              !TAPESTRY_CALLABLE(kernels::sgdStep, Nothing, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::addInto, Floats&, Floats) &&
              !TAPESTRY_CALLABLE(kernels::addInto, Floats&, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::addInto, Nothing&, Nothing));

// of tensors
TAPESTRY_ACCEPTS(kernels::attentionScores, (Floats, Floats), (double, Floats));
TAPESTRY_ACCEPTS(kernels::broadcastTo, (Floats, Shape), (double, Shape));
TAPESTRY_ACCEPTS(kernels::sumTo, (Floats, Shape), (double, Shape));
TAPESTRY_ACCEPTS(kernels::convolve, (Floats, Floats, kernels::Convolution),
                 (double, Floats, kernels::Convolution));
TAPESTRY_ACCEPTS(kernels::gather, (Floats, Indices, int), (double, Indices, int));
TAPESTRY_ACCEPTS(kernels::scatter, (Floats, Indices, int, int), (double, Indices, int, int));
TAPESTRY_ACCEPTS(kernels::matmul, (Floats, Floats), (double, Floats));
TAPESTRY_ACCEPTS(kernels::maxPool, (Floats, kernels::Pooling), (double, kernels::Pooling));
TAPESTRY_ACCEPTS(kernels::avgPool, (Floats, kernels::Pooling), (double, kernels::Pooling));
TAPESTRY_ACCEPTS(kernels::max, (Floats, Axes), (double, Axes));
TAPESTRY_ACCEPTS(kernels::logSumExp, (Floats, Axes), (double, Axes));
TAPESTRY_ACCEPTS(kernels::softmax, (Floats, Axes), (double, Axes));
TAPESTRY_ACCEPTS(kernels::logSoftmax, (Floats, Axes), (double, Axes));
TAPESTRY_ACCEPTS(kernels::standardize, (Floats, kernels::Standardization),
                 (double, kernels::Standardization));
TAPESTRY_ACCEPTS(kernels::transpose, (Floats), (double));
TAPESTRY_ACCEPTS(kernels::read, (Floats, kernels::View), (double, kernels::View));
using Product = decltype([](const auto& x, const auto& y) { return x * y; });
using Gradient = decltype([](const auto& put, auto delta, auto x) { put(0, delta * x); });
static_assert(TAPESTRY_CALLABLE(kernels::evaluate, const char*, Product, Floats, float) &&
              TAPESTRY_CALLABLE(kernels::evaluate, const char*, Product, double, double));
static_assert(!TAPESTRY_CALLABLE(kernels::evaluate, const char*, Product, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::evaluate, const char*, Product, Floats, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::differentiate, Gradient, Floats, std::array<bool, 1>, Floats));
static_assert(!TAPESTRY_CALLABLE(kernels::differentiate, Gradient, Floats, std::array<bool, 2>, Floats) &&
              !TAPESTRY_CALLABLE(kernels::differentiate, Gradient, Floats, std::array<bool, 1>, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::differentiate, Gradient, Floats, std::array<bool, 1>, Nothing));

// tensors themselves
template <class A, class B>
concept Equal = requires(const A& a, const B& b) { a == b; };
static_assert(Equal<Floats, Floats> && !Equal<Floats, Doubles> && !Equal<Floats, int> &&
              !Equal<Nothing, Floats>);
static_assert(std::invocable<Floats> && std::invocable<Floats, int, long> &&
              !std::invocable<Floats, std::string> && !std::invocable<Floats, int, Nothing>);
static_assert(std::constructible_from<Floats, Shape, std::initializer_list<float>> &&
              !std::constructible_from<Floats, Nothing> && !std::constructible_from<Floats, Doubles>);
TAPESTRY_ACCEPTS(tapestry::saveNpy, (const char*, Floats), (const char*, Nothing));

}  // namespace refusal

TEST_CASE("a concept of the user's own can ask whether a kernel accepts an argument") {
  const auto accepts = []<class T>(const T&) { return TAPESTRY_CALLABLE(kernels::relu, T); };
  CHECK(accepts(Tensor<float>()));
  CHECK_FALSE(accepts(std::string()));
}
