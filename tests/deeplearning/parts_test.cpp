// Tuples, pairs, arrays and ranges of differentiables are differentiable.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <latch>
#include <list>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/error_text.hpp"
#include "support/networks/evaluations.hpp"
#include "support/networks/finite_differences.hpp"
#include "support/networks/late_layer.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/raii/direct/direct.hpp"

using namespace tapestry;
using test::errorOf;
using test::Evaluations;
using test::lateLayer;
using test::valueOf;

static_assert(std::same_as<DataOf<std::tuple<DoubleLayer, float, TensorWeight>>,
                           std::tuple<double, float, Tensor<float>>>);
static_assert(std::same_as<DataOf<std::pair<DoubleLayer, double>>, std::pair<double, double>>);
static_assert(std::same_as<DataOf<std::array<FloatWeight, 2>>, std::array<float, 2>>);
static_assert(std::same_as<DataOf<std::vector<TensorLayer>>, std::vector<Tensor<float>>>);
static_assert(std::same_as<DataOf<std::list<DoubleLayer>>, std::vector<double>>);
static_assert(std::same_as<DataOf<std::span<const DoubleWeight>>, std::vector<double>>);
static_assert(std::same_as<DeltaOf<std::tuple<double, std::vector<Tensor<float>>>>,
                           std::tuple<double, std::vector<TensorDelta<float>>>>);
static_assert(isLiteral<std::tuple<double, Tensor<float>>> && isLiteral<std::vector<double>> &&
              isLiteral<std::array<std::pair<float, double>, 2>>);
static_assert(!isLiteral<std::tuple<double, DoubleWeight>> && !isLiteral<std::vector<DoubleLayer>>);
static_assert(Differentiable<std::tuple<>>);
static_assert(!Differentiable<std::tuple<double, int>> && !Differentiable<std::vector<std::string>> &&
              !Differentiable<std::map<double, double>> && !Differentiable<std::filesystem::path>);

namespace {

using Both = std::pair<double, double>;

/// x y, of a pair.
constexpr auto area = unaryOperation<"area", Keep::operands>(
    [](const Both& x) { return x.first * x.second; },
    [](double delta, const Both& x) { return Both(delta * x.second, delta * x.first); });

/// (x + y, x y).
constexpr auto sumAndProduct = binaryOperation<"sumAndProduct", Keep::operands>(
    [](double x, double y) { return Both(x + y, x * y); },
    [](const Both& delta, double, double y) { return delta.first + delta.second * y; },
    [](const Both& delta, double x, double) { return delta.first + delta.second * x; });

/// s x + y, of a scalar s and tensors of one shape.
using Mixed = std::tuple<double, Tensor<double>, Tensor<double>>;
constexpr auto mixed = unaryOperation<"mixed", Keep::operands>(
    [](const Mixed& x) {
      const auto& [s, a, b] = x;
      return kernels::add(kernels::scale(a, s), b);
    },
    [](const Tensor<double>& delta, const Mixed& x) {
      const auto& [s, a, b] = x;
      return std::tuple(kernels::sum(kernels::multiply(delta, a)), kernels::scale(delta, s), delta);
    });

/// The scalar product with 1, 2, 3 and so on.
constexpr auto weigh = unaryOperation<"weigh", Keep::operands>(
    [](const std::vector<double>& x) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(i + 1) * x[i];
      return sum;
    },
    [](double delta, const std::vector<double>& x) {
      std::vector<double> deltas;
      for (std::size_t i = 0; i < x.size(); ++i) deltas.push_back(static_cast<double>(i + 1) * delta);
      return deltas;
    });

}  // namespace

TEST_CASE("a tuple, a pair, an array and a range evaluate to the data of their parts in the same structure") {
  const DoubleWeight a(2);
  const DoubleLayer b = a * 3.0;
  const Tensor<float> t({2}, {1, 2});
  CHECK(valueOf(std::tuple(a, b, 1.5F, TensorWeight(t))) == std::tuple(2.0, 6.0, 1.5F, t));
  CHECK(valueOf(std::pair(b, 4.0)) == std::pair(6.0, 4.0));
  CHECK(valueOf(std::array{b, a + 1.0}) == std::array{6.0, 3.0});
  const std::vector layers{b, b + a};
  CHECK(valueOf(layers) == std::vector{6.0, 8.0});
  CHECK(valueOf(std::span(layers)) == std::vector{6.0, 8.0});
  CHECK(valueOf(std::list{a, a}) == std::vector{2.0, 2.0});
}

TEST_CASE("a structure of plain data is a literal, and an operation computes it at once") {
  CHECK(area(Both(2, 3)) == 6);
  CHECK(valueOf(std::tuple(1.0, 2.0F)) == std::tuple(1.0, 2.0F));
  CHECK(weigh(std::vector{1.0, 2.0}) == 5);
}

TEST_CASE("structures nest") {
  const DoubleWeight a(2);
  const auto nested =
      std::tuple(std::pair(a, a * a), std::vector{std::tuple(a * 3.0)}, std::array<double, 1>{7});
  CHECK(valueOf(nested) == std::tuple(std::pair(2.0, 4.0), std::vector{std::tuple(6.0)}, std::array{7.0}));
  CHECK(gradients(nested).blockingAwait().of(a) == 1 + 4 + 3);
}

TEST_CASE("an empty tuple, array and range evaluate to nothing") {
  CHECK(valueOf(std::tuple()) == std::tuple());
  CHECK(valueOf(std::array<DoubleLayer, 0>()).empty());
  CHECK(valueOf(std::vector<DoubleLayer>()).empty());
  CHECK(train(std::vector<DoubleWeight>()).blockingAwait().empty());
  CHECK(valueOf(weigh(std::vector<DoubleLayer>())) == 0);
}

TEST_CASE("structures are operands of operations, with the gradients that differences show") {
  test::checkGradients([](const auto& x, const auto& y) { return area(std::pair(x, x * y)); }, 2.0, 3.0);
  test::checkGradients([](const auto& x, const auto& y) { return area(sumAndProduct(x, y)); }, 2.0, 3.0);
  test::checkGradients([](const auto& x) { return area(std::pair(lateLayer(x), 4.0)); }, 2.0);
  test::checkGradients(
      [](const auto& x, const auto& y) {
        return weigh(std::vector{x * x, x * y, y * 1.0});
      },
      2.0, 3.0);
  test::checkGradients([](const auto& x, const auto& y) { return weigh(std::list{x, y, x}); }, 2.0, 3.0);
}

TEST_CASE("tensors and scalars meet in a tuple") {
  const Tensor<double> t({2}, {1, -2});
  test::checkGradients(
      [](const auto& s, const auto& x, const auto& y) { return mixed(std::tuple(s * 1.0, x, y)); }, 3.0, t,
      t);
  test::checkGradients([&](const auto& s, const auto& x) { return mixed(std::tuple(s, x, t)); }, 3.0, t);
  test::checkGradients([](const auto& s, const auto& x) { return mixed(std::tuple(s, x, lateLayer(x))); },
                       3.0, t);
}

TEST_CASE("an operation that gives a tensor of a tuple has a shape that is known when it runs") {
  const Tensor<double> t({2}, {1, -2});
  const DoubleWeight s(3);
  CHECK(valueOf(mixed(std::tuple(s, t, t)) + t) == Tensor<double>({2}, {5, -10}));
}

TEST_CASE("the sum of all elements of a structure is a loss") {
  const DoubleWeight a(2, sgd(1));
  const TensorWeight t(Tensor<float>({2}, {1, 2}), sgd(1));
  CHECK(train(std::tuple(a, std::vector{t, t})).blockingAwait() ==
        std::tuple(2.0, std::vector{Tensor<float>({2}, {1, 2}), Tensor<float>({2}, {1, 2})}));
  CHECK(a.data() == 1);
  CHECK(t.data() == Tensor<float>({2}, {-1, 0}));
}

TEST_CASE("train observes structures in the pass of its loss") {
  const DoubleWeight a(2, sgd(1));
  const Evaluations count;
  const auto shared = count(a);
  CHECK(train(shared, std::vector{shared, shared * 2.0}, std::tuple(shared, a)).blockingAwait() ==
        std::tuple(2.0, std::vector{2.0, 4.0}, std::tuple(2.0, 2.0)));
  CHECK(count.forwards() == 1);
  CHECK(count.backwards() == 1);
  CHECK(a.data() == 1);
}

TEST_CASE("each part runs forward once and backward once, also parts that share layers") {
  const DoubleWeight a(2, sgd(1));
  Evaluations count;
  const auto shared = count(a);
  const auto left = count(shared * 2.0);
  const auto right = count(shared * left);
  const auto both = std::pair(left, right);
  const auto loss = area(both) + area(std::pair(left, left)) + area(both);
  CHECK(train(loss).blockingAwait() == 2 * 32 + 16);
  CHECK(count.forwards() == 3);
  CHECK(count.backwards() == 3);
  CHECK(a.data() == 2 - (2 * 48 + 16));  // 2 * 4 a^3 + 4 a^2
  count.reset();
  a.setData(2);
  valueOf(std::tuple(both, both, std::vector{left, right, shared}));
  CHECK(count.forwards() == 3);
}

TEST_CASE("a part that gets no delta computes no derivative") {
  const DoubleWeight a(2, sgd(1));
  const Evaluations literal;
  CHECK(train(area(std::pair(literal(DoubleLayer(3)), a))).blockingAwait() == 6);
  CHECK(literal.backwards() == 0);
  CHECK(a.data() == -1);
}

TEST_CASE("forward of a structure is one tape, whose delta goes to the parts") {
  const DoubleWeight a(2, sgd(1));
  const DoubleWeight b(3, sgd(1));
  const auto program = forward(std::tuple(a, b)).flatMap([](const auto& tape) {
    CHECK(tape.data == std::tuple(2.0, 3.0));
    return Do<void>::lift(tape.backward(Do<std::tuple<double, double>>::now({10, 20})));
  });
  withPass(program).blockingAwait();
  CHECK(a.data() == -8);
  CHECK(b.data() == -17);
}

TEST_CASE("a layer is made of a program of a structure") {
  const DoubleWeight a(2);
  const Layer<Both> both(forward(std::pair(a, a * a)));
  CHECK(valueOf(area(both)) == 8);
  CHECK(gradients(area(both)).blockingAwait().of(a) == 12);
}

TEST_CASE("in a block of direct style, a structure evaluates to its data") {
  const DoubleWeight a(2);
  const auto block = direct<Do>([=] {
    const auto [x, y] = !std::tuple(a, a * 3.0);
    return x + y + (!std::vector{a * 1.0, a + 1.0})[1] + (!std::pair(a, 1.0)).second;
  });
  CHECK(withPass(block).blockingAwait() == 12);
}

TEST_CASE("parts run forward in parallel, and get their deltas in parallel") {
  ThreadPool pool(2);
  const auto check = [&](const auto& structure) {
    const DoubleWeight weight(2, sgd(1));
    std::latch forwards(2);
    std::latch backwards(2);
    Evaluations count;
    count.onForward = [&] { forwards.arrive_and_wait(); };
    count.onBackward = [&] { backwards.arrive_and_wait(); };
    const auto branch = [&] { return lateLayer(count(lateLayer(weight))); };
    train(structure(branch(), branch())).blockingAwait(pool);
    CHECK(count.forwards() == 2);
    CHECK(count.backwards() == 2);
  };
  check([](const auto& a, const auto& b) { return std::tuple(a, b); });
  check([](const auto& a, const auto& b) { return std::pair(std::tuple(a), std::vector{b}); });
  check([](const auto& a, const auto& b) { return std::vector{a, b}; });
  check([](const auto& a, const auto& b) { return area(std::pair(a, b)); });
}

TEST_CASE("an error in one part fails the structure, and nothing changes") {
  const DoubleWeight a(2, sgd(1));
  const auto failing = [](const char* what) { return [what] { throw std::runtime_error(what); }; };
  Evaluations forwardFails;
  forwardFails.onForward = failing("forward");
  CHECK(errorOf([&] { train(std::tuple(a, forwardFails(a), a)).blockingAwait(); }) == "forward");
  CHECK(errorOf([&] { predict(std::vector{a * 1.0, forwardFails(a)}).blockingAwait(); }) == "forward");
  Evaluations backwardFails;
  backwardFails.onBackward = failing("backward");
  CHECK(errorOf([&] { train(area(std::pair(a, backwardFails(a)))).blockingAwait(); }) == "backward");
  const DoubleLayer program(Do<Tape<double, double>>::raiseError(std::runtime_error("program")));
  CHECK(errorOf([&] { train(std::array{a * 1.0, program}).blockingAwait(); }) == "program");
  CHECK(a.data() == 2);
}

TEST_CASE("a delta of another length than the range fails the pass") {
  const DoubleWeight a(2, sgd(1));
  constexpr auto wrong = unaryOperation<"wrong", Keep::nothing>(
      [](const std::vector<double>& x) { return x[0]; }, [](double) { return std::vector<double>(3); });
  const std::vector weights{a, a};
  CHECK(errorOf([&] { train(wrong(weights)).blockingAwait(); }) ==
        "tapestry::Tape::backward: the length differs, got 3, expected 2");
  CHECK(a.data() == 2);
}
