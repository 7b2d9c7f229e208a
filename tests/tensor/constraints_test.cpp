// A call with a wrong argument is refused by constraints: `requires` sees that.
#include <doctest/doctest.h>

#include <array>
#include <concepts>
#include <filesystem>
#include <string>

#include "support/callable.hpp"
#include "tapestry/tensor.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/activation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/attention.hpp"
#include "tapestry/tensor/kernels/broadcast.hpp"
#include "tapestry/tensor/kernels/comparison.hpp"
#include "tapestry/tensor/kernels/convolution.hpp"
#include "tapestry/tensor/kernels/derivative.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"
#include "tapestry/tensor/kernels/formula.hpp"
#include "tapestry/tensor/kernels/gather.hpp"
#include "tapestry/tensor/kernels/magnitude.hpp"
#include "tapestry/tensor/kernels/matmul.hpp"
#include "tapestry/tensor/kernels/optimizer.hpp"
#include "tapestry/tensor/kernels/pooling.hpp"
#include "tapestry/tensor/kernels/power.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"
#include "tapestry/tensor/kernels/softmax.hpp"
#include "tapestry/tensor/kernels/squared_norm.hpp"
#include "tapestry/tensor/kernels/standardize.hpp"
#include "tapestry/tensor/kernels/transpose.hpp"
#include "tapestry/tensor/kernels/view.hpp"
#include "tapestry/tensor/storage/npy.hpp"

using namespace tapestry;

namespace refusal {

using Floats = Tensor<float>;
using Doubles = Tensor<double>;

// Each line: operands that the function accepts, and operands that it refuses.

// of scalars and tensors
static_assert(TAPESTRY_CALLABLE(kernels::negate, Floats) && !TAPESTRY_CALLABLE(kernels::negate, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::negate, int));
static_assert(TAPESTRY_CALLABLE(kernels::abs, Floats) && !TAPESTRY_CALLABLE(kernels::abs, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::abs, int));
static_assert(TAPESTRY_CALLABLE(kernels::sign, Floats) && !TAPESTRY_CALLABLE(kernels::sign, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::sign, int));
static_assert(TAPESTRY_CALLABLE(kernels::sqrt, Floats) && !TAPESTRY_CALLABLE(kernels::sqrt, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::sqrt, int));
static_assert(TAPESTRY_CALLABLE(kernels::exp, Floats) && !TAPESTRY_CALLABLE(kernels::exp, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::exp, int));
static_assert(TAPESTRY_CALLABLE(kernels::expm1, Floats) && !TAPESTRY_CALLABLE(kernels::expm1, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::expm1, int));
static_assert(TAPESTRY_CALLABLE(kernels::log, Floats) && !TAPESTRY_CALLABLE(kernels::log, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::log, int));
static_assert(TAPESTRY_CALLABLE(kernels::log1p, Floats) && !TAPESTRY_CALLABLE(kernels::log1p, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::log1p, int));
static_assert(TAPESTRY_CALLABLE(kernels::sin, Floats) && !TAPESTRY_CALLABLE(kernels::sin, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::sin, int));
static_assert(TAPESTRY_CALLABLE(kernels::cos, Floats) && !TAPESTRY_CALLABLE(kernels::cos, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::cos, int));
static_assert(TAPESTRY_CALLABLE(kernels::relu, Floats) && !TAPESTRY_CALLABLE(kernels::relu, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::relu, int));
static_assert(TAPESTRY_CALLABLE(kernels::tanh, Floats) && !TAPESTRY_CALLABLE(kernels::tanh, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::tanh, int));
static_assert(TAPESTRY_CALLABLE(kernels::sigmoid, Floats) && !TAPESTRY_CALLABLE(kernels::sigmoid, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::sigmoid, int));
static_assert(TAPESTRY_CALLABLE(kernels::softplus, Floats) &&
              !TAPESTRY_CALLABLE(kernels::softplus, Nothing) && !TAPESTRY_CALLABLE(kernels::softplus, int));
static_assert(TAPESTRY_CALLABLE(kernels::silu, Floats) && !TAPESTRY_CALLABLE(kernels::silu, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::silu, int));
static_assert(TAPESTRY_CALLABLE(kernels::gelu, Floats) && !TAPESTRY_CALLABLE(kernels::gelu, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::gelu, int));
static_assert(TAPESTRY_CALLABLE(kernels::sum, Floats) && !TAPESTRY_CALLABLE(kernels::sum, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::sum, int));
static_assert(TAPESTRY_CALLABLE(kernels::mean, Floats) && !TAPESTRY_CALLABLE(kernels::mean, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::mean, int));
static_assert(TAPESTRY_CALLABLE(kernels::magnitude, Floats) &&
              !TAPESTRY_CALLABLE(kernels::magnitude, Nothing) && !TAPESTRY_CALLABLE(kernels::magnitude, int));
static_assert(TAPESTRY_CALLABLE(kernels::squaredNorm, Floats) &&
              !TAPESTRY_CALLABLE(kernels::squaredNorm, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::squaredNorm, int));
static_assert(TAPESTRY_CALLABLE(kernels::shapeOf, Floats) && !TAPESTRY_CALLABLE(kernels::shapeOf, Nothing) &&
              !TAPESTRY_CALLABLE(kernels::shapeOf, int));
static_assert(TAPESTRY_CALLABLE(kernels::add, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::add, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::add, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::subtract, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::subtract, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::subtract, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::multiply, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::multiply, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::multiply, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::divide, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::divide, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::divide, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::maximum, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::maximum, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::maximum, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::minimum, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::minimum, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::minimum, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::where, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::where, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::where, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::unless, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::unless, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::unless, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::greater, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::greater, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::greater, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::greaterEqual, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::greaterEqual, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::greaterEqual, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::less, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::less, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::less, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::lessEqual, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::lessEqual, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::lessEqual, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::equal, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::equal, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::equal, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::notEqual, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::notEqual, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::notEqual, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::power, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::power, Floats, Doubles) &&
              !TAPESTRY_CALLABLE(kernels::power, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::reluDerivative, double, double) &&
              !TAPESTRY_CALLABLE(kernels::reluDerivative, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::tanhDerivative, double, double) &&
              !TAPESTRY_CALLABLE(kernels::tanhDerivative, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::sigmoidDerivative, double, double) &&
              !TAPESTRY_CALLABLE(kernels::sigmoidDerivative, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::absDerivative, double, double) &&
              !TAPESTRY_CALLABLE(kernels::absDerivative, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::siluDerivative, double, double) &&
              !TAPESTRY_CALLABLE(kernels::siluDerivative, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::geluDerivative, double, double) &&
              !TAPESTRY_CALLABLE(kernels::geluDerivative, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::maximumDerivativeLeft, double, double, double) &&
              !TAPESTRY_CALLABLE(kernels::maximumDerivativeLeft, double, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::maximumDerivativeRight, double, double, double) &&
              !TAPESTRY_CALLABLE(kernels::maximumDerivativeRight, double, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::powerDerivativeLeft, double, double, double) &&
              !TAPESTRY_CALLABLE(kernels::powerDerivativeLeft, double, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::powerDerivativeRight, double, double, double) &&
              !TAPESTRY_CALLABLE(kernels::powerDerivativeRight, double, double, Nothing));
static_assert(TAPESTRY_CALLABLE(kernels::leakyRelu, Floats, double) &&
              !TAPESTRY_CALLABLE(kernels::leakyRelu, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::leakyReluDerivative, Floats, Floats, double) &&
              !TAPESTRY_CALLABLE(kernels::leakyReluDerivative, Floats, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::elu, Floats, double) &&
              !TAPESTRY_CALLABLE(kernels::elu, Nothing, double));
static_assert(TAPESTRY_CALLABLE(kernels::eluDerivative, Floats, Floats, double) &&
              !TAPESTRY_CALLABLE(kernels::eluDerivative, Floats, Nothing, double));
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
static_assert(TAPESTRY_CALLABLE(kernels::attentionScores, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::attentionScores, double, Floats));
static_assert(TAPESTRY_CALLABLE(kernels::broadcastTo, Floats, Shape) &&
              !TAPESTRY_CALLABLE(kernels::broadcastTo, double, Shape));
static_assert(TAPESTRY_CALLABLE(kernels::sumTo, Floats, Shape) &&
              !TAPESTRY_CALLABLE(kernels::sumTo, double, Shape));
static_assert(TAPESTRY_CALLABLE(kernels::convolve, Floats, Floats, kernels::Convolution) &&
              !TAPESTRY_CALLABLE(kernels::convolve, double, Floats, kernels::Convolution));
static_assert(TAPESTRY_CALLABLE(kernels::gather, Floats, Indices, int) &&
              !TAPESTRY_CALLABLE(kernels::gather, double, Indices, int));
static_assert(TAPESTRY_CALLABLE(kernels::scatter, Floats, Indices, int, int) &&
              !TAPESTRY_CALLABLE(kernels::scatter, double, Indices, int, int));
static_assert(TAPESTRY_CALLABLE(kernels::matmul, Floats, Floats) &&
              !TAPESTRY_CALLABLE(kernels::matmul, double, Floats));
static_assert(TAPESTRY_CALLABLE(kernels::maxPool, Floats, kernels::Pooling) &&
              !TAPESTRY_CALLABLE(kernels::maxPool, double, kernels::Pooling));
static_assert(TAPESTRY_CALLABLE(kernels::avgPool, Floats, kernels::Pooling) &&
              !TAPESTRY_CALLABLE(kernels::avgPool, double, kernels::Pooling));
static_assert(TAPESTRY_CALLABLE(kernels::max, Floats, Axes) &&
              !TAPESTRY_CALLABLE(kernels::max, double, Axes));
static_assert(TAPESTRY_CALLABLE(kernels::logSumExp, Floats, Axes) &&
              !TAPESTRY_CALLABLE(kernels::logSumExp, double, Axes));
static_assert(TAPESTRY_CALLABLE(kernels::softmax, Floats, Axes) &&
              !TAPESTRY_CALLABLE(kernels::softmax, double, Axes));
static_assert(TAPESTRY_CALLABLE(kernels::logSoftmax, Floats, Axes) &&
              !TAPESTRY_CALLABLE(kernels::logSoftmax, double, Axes));
static_assert(TAPESTRY_CALLABLE(kernels::standardize, Floats, kernels::Standardization) &&
              !TAPESTRY_CALLABLE(kernels::standardize, double, kernels::Standardization));
static_assert(TAPESTRY_CALLABLE(kernels::transpose, Floats) &&
              !TAPESTRY_CALLABLE(kernels::transpose, double));
static_assert(TAPESTRY_CALLABLE(kernels::read, Floats, kernels::View) &&
              !TAPESTRY_CALLABLE(kernels::read, double, kernels::View));
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
static_assert(TAPESTRY_CALLABLE(tapestry::saveNpy, const char*, Floats) &&
              !TAPESTRY_CALLABLE(tapestry::saveNpy, const char*, Nothing));

}  // namespace refusal

TEST_CASE("a concept of the user's own can ask whether a kernel accepts an argument") {
  const auto accepts = []<class T>(const T&) { return TAPESTRY_CALLABLE(kernels::relu, T); };
  CHECK(accepts(Tensor<float>()));
  CHECK_FALSE(accepts(std::string()));
}
