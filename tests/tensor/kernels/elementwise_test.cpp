#include <tapestry/tensor/kernels/elementwise.hpp>

#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

constexpr double positiveInfinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

double exactRelu(double x) { return std::isnan(x) ? x : std::max(x, 0.0); }
double exactSign(double x) { return std::isnan(x) ? x : (x > 0) - (x < 0); }
double exactSoftplus(double x) { return exactRelu(x) + std::log1p(std::exp(-std::abs(x))); }
double exactSigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

// In every lane, and among values that are left over at the end of a loop.
template <class T>
std::vector<T> samples() {
  std::vector<T> values;
  for (const double special : {0.0,
                               -0.0,
                               1.0,
                               -1.0,
                               1e-30,
                               -1e-30,
                               1e4,
                               -1e4,
                               88.0,
                               89.0,
                               -87.5,
                               -103.0,
                               709.0,
                               710.0,
                               -708.0,
                               -745.0,
                               3e38,
                               -3e38,
                               positiveInfinity,
                               -positiveInfinity,
                               notANumber})
    values.push_back(static_cast<T>(special));
  Random random(1);
  for (int i = 0; i < 3000; ++i) values.push_back(static_cast<T>(random.real(-1, 1)));
  for (int i = 0; i < 3000; ++i) values.push_back(static_cast<T>(random.real(-20, 20)));
  for (int i = 0; i < 3000; ++i) values.push_back(static_cast<T>(random.real(-120, 120)));
  for (int i = 0; i < 3000; ++i) values.push_back(static_cast<T>(std::exp(random.real(-80, 80))));
  return values;
}

template <class T, class F, class Exact>
void checkAgainst(const F& function, const Exact& exact, double ulps) {
  const std::vector<T> x = samples<T>();
  const Tensor<T> y = function(Tensor<T>({x.size()}, x));
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(x[i]);
    CAPTURE(y.data()[i]);
    CHECK(isClose(y.data()[i], exact(static_cast<double>(x[i])), ulps));
    CHECK(isClose(function(x[i]), exact(static_cast<double>(x[i])), ulps));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("negate, abs, sign, sqrt and relu are exact, of tensors and of scalars", T, float,
                   double) {
  onEachInstructionSet([] {
    checkAgainst<T>([](auto x) { return kernels::negate(x); }, [](double x) { return -x; }, 0);
    checkAgainst<T>([](auto x) { return kernels::abs(x); }, [](double x) { return std::abs(x); }, 0);
    checkAgainst<T>([](auto x) { return kernels::sign(x); }, exactSign, 0);
    checkAgainst<T>([](auto x) { return kernels::relu(x); }, exactRelu, 0);
    checkAgainst<T>([](auto x) { return kernels::sqrt(x); },
                    [](double x) { return static_cast<double>(std::sqrt(static_cast<T>(x))); }, 0);
  });
}

TEST_CASE_TEMPLATE("exp, log, tanh and sigmoid are within 4 ulp, right at infinities and NaN", T, float,
                   double) {
  onEachInstructionSet([] {
    checkAgainst<T>([](auto x) { return kernels::exp(x); }, [](double x) { return std::exp(x); }, 4);
    checkAgainst<T>([](auto x) { return kernels::log(x); }, [](double x) { return std::log(x); }, 4);
    checkAgainst<T>([](auto x) { return kernels::tanh(x); }, [](double x) { return std::tanh(x); }, 4);
    checkAgainst<T>([](auto x) { return kernels::sigmoid(x); }, exactSigmoid, 4);
  });
}

TEST_CASE_TEMPLATE("expm1, log1p and softplus are within 4 ulp, right at infinities and NaN", T, float,
                   double) {
  onEachInstructionSet([] {
    checkAgainst<T>([](auto x) { return kernels::expm1(x); }, [](double x) { return std::expm1(x); }, 4);
    checkAgainst<T>([](auto x) { return kernels::log1p(x); }, [](double x) { return std::log1p(x); }, 4);
    checkAgainst<T>([](auto x) { return kernels::softplus(x); }, exactSoftplus, 4);
  });
}

TEST_CASE_TEMPLATE("sin and cos are within 4 ulp, however large the angle, and NaN at infinities and NaN", T,
                   float, double) {
  onEachInstructionSet([] {
    checkAgainst<T>([](auto x) { return kernels::sin(x); }, [](double x) { return std::sin(x); }, 4);
    checkAgainst<T>([](auto x) { return kernels::cos(x); }, [](double x) { return std::cos(x); }, 4);
  });
}

TEST_CASE("softplus is finite far from zero") {
  CHECK(kernels::softplus(Tensor<float>({3}, {-1e4F, 0, 1e4F})) ==
        Tensor<float>({3}, {0, std::log(2.0F), 1e4F}));
  CHECK(kernels::softplus(1e4F) == 1e4F);
  CHECK(kernels::softplus(-1e4F) == 0);
}

TEST_CASE_TEMPLATE("sizes that are no multiple of a vector's are done to the last element and no further", T,
                   float, double) {
  onEachInstructionSet([] {
    for (std::size_t size = 0; size < 70; ++size) {
      Random random(static_cast<unsigned>(size));
      const auto x = random.tensor<T>({size});
      const auto y = kernels::relu(x);
      REQUIRE(y.shape() == x.shape());
      for (std::size_t i = 0; i < size; ++i) CHECK(y(i) == std::max(x(i), T{0}));
    }
  });
}

TEST_CASE("the result keeps the shape") {
  CHECK(kernels::negate(Tensor<float>({2, 1, 2}, {1, 2, 3, 4})) ==
        Tensor<float>({2, 1, 2}, {-1, -2, -3, -4}));
  CHECK(kernels::exp(Tensor<float>()) == Tensor<float>::scalar(1));
  CHECK(kernels::exp(Tensor<float>::zeros({3, 0})).shape() == Shape{3, 0});
}

TEST_CASE("the only handle lends its buffer to the result, any other is left as it was") {
  auto x = Tensor<float>({2}, {-1, 1});
  const auto y = kernels::relu(x);
  CHECK(x == Tensor<float>({2}, {-1, 1}));
  CHECK_FALSE(y.identical(x));

  const float* const buffer = x.data();
  const auto z = kernels::relu(std::move(x));
  CHECK(z.data() == buffer);
  CHECK(z == y);
}
