#include <tapestry/deeplearning/operations/product/scaled_dot_product_attention.hpp>

#include "deeplearning/operations/support.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

static_assert(
    std::same_as<decltype(scaledDotProductAttention(Tensor<float>(), Tensor<float>(), Tensor<float>())),
                 Tensor<float>>);
static_assert(std::same_as<decltype(scaledDotProductAttention(TensorWeight({}), Tensor<float>(),
                                                              Tensor<float>(), Tensor<float>())),
                           TensorLayer>);

namespace {

const double unseen = -std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("attention takes the values whose keys meet the query") {
  const Tensor<double> q({1, 1}, {1});
  const Tensor<double> k({2, 1}, {0, std::log(3.0)});
  const Tensor<double> v({2, 2}, {0, 4, 8, 0});
  const auto y = scaledDotProductAttention(q, k, v);
  CHECK(y(0, 0) == doctest::Approx(6));
  CHECK(y(0, 1) == doctest::Approx(1));
}

TEST_CASE("causal attention does not look ahead") {
  const auto equal = Tensor<double>::zeros({3, 2});
  const Tensor<double> v({3, 1}, {2, 4, 9});
  CHECK(scaledDotProductAttention(equal, equal, v, {.causal = true}) == Tensor<double>({3, 1}, {2, 3, 5}));
  CHECK(valueOf(scaledDotProductAttention(DoubleTensorWeight(equal), equal, v)) ==
        Tensor<double>({3, 1}, {5, 5, 5}));
}

TEST_CASE("a mask hides keys, from all queries or from some, and the result of a query that sees none is 0") {
  const auto equal = Tensor<double>::zeros({2, 2});
  const Tensor<double> v({2, 1}, {2, 4});
  CHECK(scaledDotProductAttention(equal, equal, v, Tensor<double>({2}, {0, unseen})) ==
        Tensor<double>({2, 1}, {2, 2}));
  const Tensor<double> mask({2, 2}, {unseen, unseen, 0, 0});
  const DoubleTensorWeight w(equal);
  const auto y = scaledDotProductAttention(w, equal, v, mask);
  CHECK(valueOf(y) == Tensor<double>({2, 1}, {0, 3}));
  CHECK(gradients(y).blockingAwait().of(w) == Tensor<double>::zeros({2, 2}));
  CHECK(scaledDotProductAttention(equal, equal, v, Tensor<double>({2, 2}, {0, 0, unseen, 0}),
                                  {.causal = true}) == Tensor<double>({2, 1}, {2, 4}));
}

TEST_CASE("attention stays finite for large scores") {
  const Tensor<float> q({1, 1}, {1e4F});
  const TensorWeight k(Tensor<float>({2, 1}, {1, -1}));
  const auto y = scaledDotProductAttention(q, k, Tensor<float>({2, 1}, {5, 7}));
  CHECK(valueOf(y) == Tensor<float>({1, 1}, {5}));
  CHECK(gradients(y).blockingAwait().of(k) == Tensor<float>::zeros({2, 1}));
}

TEST_CASE("the gradients of attention are the central differences") {
  Random random(35);
  const auto check = [&](const Shape& q, const Shape& k, const Shape& v,
                         const kernels::Attention& attention) {
    const auto operation = [&](const auto& a, const auto& b, const auto& c) {
      return scaledDotProductAttention(a, b, c, attention);
    };
    const auto x = random.tensor<double>(q);
    const auto y = random.tensor<double>(k);
    const auto z = random.tensor<double>(v);
    checkGradients(operation, x, y, z);
    checkGradients(onDiamond(operation), x, y, z);
    checkGradients([&](const auto& a) { return operation(lateLayer(a), lateLayer(a), lateLayer(a)); }, x);
    checkGradients<float>(operation, random.tensor<float>(q), random.tensor<float>(k),
                          random.tensor<float>(v));
  };
  check({3, 2}, {3, 2}, {3, 2}, {.causal = true});
  check({2, 2, 3}, {4, 3}, {1, 4, 3}, {});
  check({3, 3}, {2, 3, 3}, {3, 3}, {.causal = true});
}

TEST_CASE("the gradients of attention with a mask are the central differences, that of the mask too") {
  Random random(36);
  const Tensor<double> hidden({2, 3}, {0, unseen, 0, unseen, 0, 0});
  checkGradients(
      [&](const auto& q, const auto& k, const auto& v) { return scaledDotProductAttention(q, k, v, hidden); },
      random.tensor<double>({2, 2}), random.tensor<double>({3, 2}), random.tensor<double>({3, 1}));
  checkGradients([](const auto& q, const auto& k, const auto& v,
                    const auto& bias) { return scaledDotProductAttention(q, k, v, bias); },
                 random.tensor<double>({2, 2}), random.tensor<double>({3, 2}), random.tensor<double>({3, 1}),
                 random.tensor<double>({3}));
}

TEST_CASE("the gradients of attention are the central differences, for any stacks, lengths and masks") {
  checkDraws([](Random& random) {
    const Shape stack = drawShape(random, 0, 3);
    const bool few = stack.size() > 4;
    const auto some = [&] { return random.below(20) == 0 ? 0 : 1 + random.below(few ? 2 : 3); };
    const auto operand = [&](std::size_t rows, std::size_t columns) {
      const Shape leading = random.stretching(stack);
      std::vector<std::size_t> extents(leading.begin(), leading.end());
      extents.insert(extents.end(), {rows, columns});
      return random.tensor<double>(Shape(extents));
    };
    const std::size_t queries = some();
    const std::size_t keys = some();
    const std::size_t width = some();
    const kernels::Attention attention{.causal = random.below(2) == 0};
    std::vector<Tensor<double>> operands{operand(queries, width), operand(keys, width),
                                         operand(keys, some())};
    switch (random.below(3)) {
      case 0:
        operands.push_back(operand(queries, keys));
        break;
      case 1:
        operands.push_back(operand(1, keys));
        break;
      default:
        break;
    }
    return DrawnOperation{[=](const Operands& of) -> DoubleTensorLayer {
                            return of.size() == 3
                                       ? scaledDotProductAttention(of[0], of[1], of[2], attention)
                                       : scaledDotProductAttention(of[0], of[1], of[2], of[3], attention);
                          },
                          operands};
  });
}

TEST_CASE("shapes that do not fit are refused by attention, as soon as they are known") {
  const auto refused = [](const Shape& q, const Shape& k, const std::string& text) {
    const DoubleTensorWeight queries(Tensor<double>::zeros(q));
    const auto keys = Tensor<double>::zeros(k);
    const std::string message = "tapestry::scaledDotProductAttention: " + text;
    CHECK_THROWS_WITH_AS(scaledDotProductAttention(queries, keys, keys), message.c_str(), ShapeError);
    CHECK_THROWS_WITH_AS(scaledDotProductAttention(queries.data(), keys, keys), message.c_str(), ShapeError);
    CHECK(evaluationError(scaledDotProductAttention(lateLayer(queries), keys, keys)) == message);
  };
  refused({2}, {3, 2},
          "queries and keys are not matrices, got [2] and [3, 2], expected [..., T, D] and [..., S, D]");
  refused({2, 3}, {2, 4},
          "queries and keys differ in width, got [2, 3] and [2, 4], expected [..., T, D] and [..., S, D]");
  refused({2, 2, 4}, {3, 2, 4},
          "leading axes do not broadcast, got [2, 2, 4] and [3, 2, 4], expected extents that are equal or 1 "
          "before "
          "the last two axes");
}

TEST_CASE("values and masks that do not fit are refused by attention, as soon as they are known") {
  const DoubleTensorWeight q(Tensor<double>::zeros({2, 3})), v(Tensor<double>::zeros({5, 1}));
  const auto k = Tensor<double>::zeros({4, 3});
  const std::string values =
      "tapestry::scaledDotProductAttention: inner dimensions differ, got [2, 4] and [5, 1], expected [.., K] "
      "and [K, ..]";
  CHECK_THROWS_WITH_AS(scaledDotProductAttention(q, k, v), values.c_str(), ShapeError);
  CHECK_THROWS_WITH_AS(scaledDotProductAttention(q.data(), k, v.data()), values.c_str(), ShapeError);
  CHECK(evaluationError(scaledDotProductAttention(q, k, lateLayer(v))) == values);
  const std::string mask =
      "tapestry::scaledDotProductAttention: shapes do not broadcast, got [2, 4] and [3], expected "
      "extents that are equal or 1, aligned at the last axis";
  CHECK_THROWS_WITH_AS(scaledDotProductAttention(q, k, k, Tensor<double>::zeros({3})), mask.c_str(),
                       ShapeError);
  CHECK(evaluationError(scaledDotProductAttention(lateLayer(q), k, k, Tensor<double>::zeros({3}))) == mask);
}
