#include <tapestry/tensor/kernels/own_kernels.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/tensor.hpp>

using namespace tapestry;

namespace {

struct TextKernels;

/// A tensor type that records what is computed.
struct Text {
  using Value = float;
  using Kernels = TextKernels;
  std::string text;
  Shape extents;
  const Shape& shape() const noexcept { return extents; }
};

struct TextKernels {
  static Text tanh(const Text& x) { return {"tanh(" + x.text + ')', x.extents}; }
  static Text add(const Text& a, const Text& b) { return {'(' + a.text + " + " + b.text + ')', a.extents}; }
  static Text add(const Text& a, float b) { return add(a, Text{std::to_string(static_cast<int>(b)), {}}); }
  static void addInto(Text& sum, const Text& x) { sum = add(sum, x); }
};

template <class X>
concept HasTanh = requires(X x) { kernels::tanh(x); };
template <class X>
concept HasExp = requires(X x) { kernels::exp(x); };
template <class X>
concept HasSum = requires(X x) { kernels::sum(x); };

static_assert(tapestry::OwnKernels<Text>);
static_assert(!tapestry::OwnKernels<Tensor<float>> && !tapestry::OwnKernels<float>);
static_assert(HasTanh<Text> && HasTanh<Tensor<float>> && HasTanh<double>);
static_assert(!HasExp<Text> && !HasSum<Text>);

}  // namespace

TEST_CASE("the functions of a tensor type with its own kernels are those kernels") {
  const Text x{"x", {2}}, y{"y", {2}};
  CHECK(kernels::tanh(kernels::add(x, y)).text == "tanh((x + y))");
  CHECK(kernels::add(x, 3).text == "(x + 3)");
  Text sum = x;
  kernels::addInto(sum, y);
  CHECK(sum.text == "(x + y)");
  CHECK(kernels::shapeOf(x) == Shape{2});
}
