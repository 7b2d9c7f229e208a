#include <tapestry/deeplearning/numeric.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <latch>
#include <tuple>
#include <utility>
#include <vector>

#include "support/networks/evaluations.hpp"
#include "support/networks/finite_differences.hpp"
#include "support/networks/late_layer.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::elementsOf;
using test::Evaluations;
using test::lateLayer;
using test::valueOf;

static_assert(Numeric<double> && Numeric<Tensor<float>> && Numeric<FloatWeight> &&
              Numeric<DoubleTensorLayer>);
static_assert(!Numeric<int> && !Numeric<std::pair<double, double>> && !Numeric<std::vector<DoubleLayer>>);
static_assert(Meeting<double, TensorWeight> && Meeting<float, double>);
static_assert(!Meeting<TensorWeight, DoubleTensorLayer> && !Meeting<DoubleLayer, std::vector<DoubleLayer>>);
static_assert(Meeting<int, DoubleLayer> && Meeting<Tensor<float>, unsigned char>);
static_assert(!Meeting<int, int> && !Meeting<int, double> && !Meeting<DoubleLayer, bool> &&
              !Meeting<char, DoubleLayer>);
static_assert(DifferentiablePair<double, DoubleWeight> && !DifferentiablePair<double, float>);

namespace {

/// Gives f the weight's data as a literal, the weight, and a layer.
template <class Data, class F>
void withKinds(const Weight<Data>& weight, const F& f) {
  f(weight.data());
  f(weight);
  f(Layer<Data>(weight.node()));
}

template <class A, class B>
using Element = std::conditional_t<detail::isTensor<B>, detail::ElementOf<B>, detail::ElementOf<A>>;
template <class A, class B>
struct ResultOf {
  using Type = Tensor<Element<A, B>>;
};
template <std::floating_point A, std::floating_point B>
struct ResultOf<A, B> {
  using Type = std::common_type_t<A, B>;
};

/// The operation makes plain data from literals, and otherwise layers with the same data and gradients.
template <class F, class A, class B>
void checkKinds(const F& operation, const A& a, const B& b) {
  using Result = typename ResultOf<A, B>::Type;
  const Weight<A> left(a);
  const Weight<B> right(b);
  const Result expected = operation(a, b);
  const auto reference = test::gradientsOf(test::asLoss(operation(left, right)));
  const auto check = [&]<class X, class Y>(const X& x, const Y& y) {
    const auto result = operation(x, y);
    if constexpr (isLiteral<X> && isLiteral<Y>) {
      static_assert(std::same_as<decltype(result), const Result>);
      CHECK(result == expected);
    } else {
      static_assert(std::same_as<decltype(result), const Layer<Result>>);
      CHECK(valueOf(result) == expected);
      const auto own = test::gradientsOf(test::asLoss(result));
      CHECK(own.of(left) == (isLiteral<X> ? detail::zeroFor(a) : reference.of(left)));
      CHECK(own.of(right) == (isLiteral<Y> ? detail::zeroFor(b) : reference.of(right)));
    }
  };
  withKinds(left, [&](const auto& x) { withKinds(right, [&](const auto& y) { check(x, y); }); });
}

/// f(operand, operand) for all pairs of the four types of data that may meet.
template <class F>
void withPairs(const F& f) {
  const std::tuple all(2.5, 1.5F, Tensor<float>({2}, {0.5F, 3}), Tensor<double>({2}, {0.75, 2}));
  const auto pairs = [&](const auto& a) {
    const auto pair = [&](const auto& b) {
      if constexpr (Meeting<std::decay_t<decltype(a)>, std::decay_t<decltype(b)>>) f(a, b);
    };
    std::apply([&](const auto&... b) { (..., pair(b)); }, all);
  };
  std::apply([&](const auto&... a) { (..., pairs(a)); }, all);
}

/// Also that the elements of the literal are what the function makes of numbers.
template <class F, class G>
void checkTable(const F& operation, const G& onNumbers) {
  withPairs([&](const auto& a, const auto& b) {
    checkKinds(operation, a, b);
    auto result = operation(a, b);
    auto left = a;
    auto right = b;
    for (std::size_t i = 0; i < elementsOf(result).size(); ++i) {
      const double x = elementsOf(left)[elementsOf(left).size() == 1 ? 0 : i];
      const double y = elementsOf(right)[elementsOf(right).size() == 1 ? 0 : i];
      CHECK(static_cast<double>(elementsOf(result)[i]) == doctest::Approx(onNumbers(x, y)).epsilon(1e-6));
    }
  });
}

template <Differentiable A, Differentiable B, Differentiable C, Differentiable D>
auto polymorphic(A a, B b, C c, D d) {
  return a * b + c * d;
}

}  // namespace

TEST_CASE("the sum takes scalars and tensors of float and double, as literals, weights and layers") {
  const auto f = [](const auto& a, const auto& b) { return a + b; };
  checkTable(f, f);
}

TEST_CASE("the difference takes scalars and tensors of float and double, as literals, weights and layers") {
  const auto f = [](const auto& a, const auto& b) { return a - b; };
  checkTable(f, f);
}

TEST_CASE("the product takes scalars and tensors of float and double, as literals, weights and layers") {
  const auto f = [](const auto& a, const auto& b) { return a * b; };
  checkTable(f, f);
}

TEST_CASE("the quotient takes scalars and tensors of float and double, as literals, weights and layers") {
  const auto f = [](const auto& a, const auto& b) { return a / b; };
  checkTable(f, f);
}

TEST_CASE("pow, max and min take scalars and tensors of float and double, as literals, weights and layers") {
  checkTable([](const auto& a, const auto& b) { return tapestry::pow(a, b); },
             [](double a, double b) { return std::pow(a, b); });
  checkTable([](const auto& a, const auto& b) { return tapestry::max(a, b); },
             [](double a, double b) { return a < b ? b : a; });
  checkTable([](const auto& a, const auto& b) { return tapestry::min(a, b); },
             [](double a, double b) { return a < b ? a : b; });
}

TEST_CASE("a polymorphic function takes literals, weights and layers in any mixture") {
  const DoubleWeight weight(3);
  withKinds(weight, [&](const auto& a) {
    withKinds(weight, [&](const auto& b) {
      withKinds(weight, [&](const auto& c) {
        withKinds(weight, [&](const auto& d) { CHECK(valueOf(polymorphic(a, b, c, d)) == 18); });
      });
    });
  });
  const TensorWeight tensor(Tensor<float>({2}, {1, 2}));
  CHECK(valueOf(polymorphic(2.0, tensor, FloatLayer(3), tensor.data())) == Tensor<float>({2}, {5, 10}));
  CHECK(valueOf(polymorphic(tensor, tensor, 0.5F, lateLayer(weight))) == Tensor<float>({2}, {2.5F, 5.5F}));
}

TEST_CASE("a polymorphic function runs its independent parts in parallel, both ways") {
  ThreadPool pool(2);
  const DoubleWeight weight(3, sgd(1));
  std::latch forwards(2);
  std::latch backwards(2);
  Evaluations count;
  count.onForward = [&] { forwards.arrive_and_wait(); };
  count.onBackward = [&] { backwards.arrive_and_wait(); };
  const auto branch = [&] { return lateLayer(count(lateLayer(weight))); };
  CHECK(train(polymorphic(branch(), 2.0, weight, branch())).blockingAwait(pool) == 15);
  CHECK(count.forwards() == 2);
  CHECK(count.backwards() == 2);
  CHECK(weight.data() == 3 - (2 + 3 + 3));
}

TEST_CASE("whole numbers take the element type of the other operand") {
  const DoubleLayer x = DoubleWeight(3) * 1.0;
  const FloatWeight w(3);
  const Tensor<float> t({2}, {1, 2});
  static_assert(std::same_as<decltype(2 * x), DoubleLayer> && std::same_as<decltype(w - 2), FloatLayer>);
  static_assert(std::same_as<decltype(1 / t), Tensor<float>>);
  static_assert(std::same_as<decltype(2U + TensorWeight(t)), TensorLayer>);
  CHECK(valueOf(1 + 2 * x) == 7);
  CHECK(valueOf(w - 2) == 1);
  CHECK(valueOf(4L / TensorWeight(t)) == Tensor<float>({2}, {4, 2}));
  CHECK(t * 2 == Tensor<float>({2}, {2, 4}));
  CHECK(valueOf(pow(x, 2)) == 9);
  CHECK(valueOf(max(2, w)) == 3);
  CHECK(valueOf(mse(x, 1)) == 4);
  test::checkGradients([](const auto& a) { return 1 / (2 * a - 1); }, 3.0);
}
