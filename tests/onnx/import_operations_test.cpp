// The operations that importOnnx reads and exportOnnx does not write, in files that python3-onnx makes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "onnx/networks.hpp"
#include "support/system/program_output.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/onnx/export_onnx.hpp"
#include "tapestry/onnx/import_onnx.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::test;
using L = TensorLayer;

struct Imported {
  std::string nodes;  ///< in Python, from "x" to "y"; w is [2, 3], b is [2], both of fixed values
  Shape input;
  std::function<L(const L&)> expected;
  int opset = 13;
  std::string batch = {};  ///< as in OnnxExportOptions
};

const Tensor<float> w({2, 3}, {1, -2, 3, 0.5f, -1, 2}), b({2}, {0.25f, -0.5f});

/// f of each element, without derivatives.
template <class F>
L ofEach(const L& x, F f) {
  auto y = predict(x).blockingAwait();
  std::ranges::transform(y.values(), y.exclusiveData(),
                         [&](float u) { return static_cast<float>(f(static_cast<double>(u))); });
  return y;
}

/// The sum of -x, each element times a factor.
L lossOf(const L& x, const std::vector<float>& factors) {
  const Tensor<float> all(*x.node()->knownShape(), factors);
  return -sum(x * all, Axes::all());
}

std::vector<Imported> importedOperations() {
  return {
      {"node('Flatten', axis=2)",
       {2, 3, 2},
       [](const L& x) {
         return reshape(x, {6, 2});
       }},
      {"node('Flatten', axis=-3)",
       {2, 3, 2},
       [](const L& x) {
         return reshape(x, {1, 12});
       }},
      {"node('Reshape', 'x', ints(0, -1))",
       {2, 3, 2},
       [](const L& x) {
         return reshape(x, {2, 6});
       }},
      {"node('Squeeze', 'x', ints(-1, 0))", {1, 3, 1}, [](const L& x) { return reshape(x, {3}); }},
      {"node('Squeeze')", {1, 3, 1}, [](const L& x) { return reshape(x, {3}); }},
      {"node('Unsqueeze', axes=[0, -1])",
       {2, 3},
       [](const L& x) {
         return reshape(x, {1, 2, 3, 1});
       },
       11},
      {"node('Transpose')",
       {2, 3, 4},
       [](const L& x) {
         return permute(x, {2, 1, 0});
       }},
      {"helper.make_node('Split', ['x', ints(1, 3)], ['a', 'y'], axis=1)",
       {2, 4},
       [](const L& x) {
         return slice(x, {Slice{}, Slice{1}});
       }},
      {"helper.make_node('Split', ['x'], ['a', 'y'], axis=0)",
       {4, 2},
       [](const L& x) { return slice(x, {Slice{2}}); }},
      {"node('Slice', 'x', ints(-1), ints(-9), ints(1), ints(-2))",
       {2, 5},
       [](const L& x) {
         return slice(x, {Slice{}, Slice{.step = -2}});
       }},
      {"node('Slice', 'x', ints(9223372036854775807), ints(9223372036854775807), ints(0))",
       {2, 3},
       [](const L& x) {
         return slice(x, {Slice{2, 2}});
       }},
      {"node('Clip', 'x', floats(-0.5), floats(0.25))",
       {2, 3},
       [](const L& x) { return clamp(x, -0.5, 0.25); }},
      {"node('Clip', 'x', '', floats(0.25))", {2, 3}, [](const L& x) { return min(x, 0.25F); }},
      {"node('PRelu', 'x', 'w')", {2, 3}, [](const L& x) { return max(x, 0.0F) + w * min(x, 0.0F); }},
      {"node('HardSigmoid', alpha=0.5)", {2, 3}, [](const L& x) { return clamp(x * 0.5F + 0.5F, 0, 1); }},
      {"node('Reciprocal')", {2, 3}, [](const L& x) { return 1.0F / x; }},
      {"node('Sum', 'x', 'w', 'x')", {2, 3}, [](const L& x) { return x + w + x; }},
      {"node('Softmax', axis=1)",
       {2, 3, 2},
       [](const L& x) {
         return reshape(softmax(reshape(x, {2, 6})), {2, 3, 2});
       },
       11},
      {"node('Gemm', 'x', 'w', 'b', alpha=0.5, beta=2.0, transB=1)",
       {4, 3},
       [](const L& x) { return matmul(x, Transpose::no, L(w), Transpose::yes) * 0.5F + b * 2.0F; }},
      {"node('Gemm', 'w', 'x', transA=1)",
       {2, 4},
       [](const L& x) { return matmul(L(w), Transpose::yes, x, Transpose::no); }},
      {"node('LayerNormalization', 'x', 'w', axis=1, epsilon=0.01)",
       {4, 2, 3},
       [](const L& x) {
         return layerNorm(x, {0.01, {1, 2}}) * w;
       },
       17},
      {"node('ReduceSumSquare', axes=[0], keepdims=0)", {2, 3}, [](const L& x) { return sum(x * x, {0}); }},
      {"node('ReduceMax', 'x', ints(1))", {2, 3}, [](const L& x) { return max(x, {1}, true); }, 18},
      {"node('GlobalAveragePool')",
       {2, 3, 4, 5},
       [](const L& x) {
         return mean(x, {2, 3}, true);
       }},
      {"node('GlobalMaxPool')",
       {2, 3, 4, 5},
       [](const L& x) {
         return max(x, {2, 3}, true);
       }},
      {"node('MaxPool', kernel_shape=[2, 2], pads=[0, 0, 1, 1], strides=[2, 2])",
       {1, 1, 3, 3},
       [](const L& x) {
         return maxPool2d(pad(x, {{0, 0}, {0, 0}, {0, 1}, {0, 1}}, -9), {.window = 2});
       }},
      {"node('AveragePool', kernel_shape=[2, 2], pads=[1, 1, 1, 1])",
       {2, 3, 3, 3},
       [](const L& x) {
         const kernels::Pooling pooling{.window = 2, .stride = 1, .padding = 1};
         return avgPool2d(x, pooling) / avgPool2d(Tensor<float>::full({1, 1, 3, 3}, 1), pooling);
       },
       13,
       "N"},
      {"node('Mul', 'x', floats(4.0), to='m'), node('Erf', 'm')",
       {5, 7},
       [](const L& x) { return ofEach(x * 4, [](double u) { return std::erf(u); }); }},
      {"node('Mul', 'x', floats(4.0), to='m'), node('Gelu', 'm')",
       {5, 7},
       [](const L& x) {
         return ofEach(x * 4, [](double u) { return u * (1 + std::erf(u / std::numbers::sqrt2)) / 2; });
       },
       20},
      {"node('OneHot', ints(1, -1, 5), ints(3), constant([0.5, -2], numpy.float32), to='h'), node('Mul', "
       "'x', 'h')",
       {3, 3},
       [](const L& x) {
         return x * Tensor<float>({3, 3}, {0.5F, -2, 0.5F, 0.5F, 0.5F, -2, 0.5F, 0.5F, 0.5F});
       }},
      {"node('OneHot', constant([[0], [1]], numpy.int64), ints(3), constant([0, 1], numpy.float32), to='h', "
       "axis=1), "
       "node('Mul', 'x', 'h')",
       {2, 3, 1},
       [](const L& x) {
         return x * Tensor<float>({2, 3, 1}, {1, 0, 0, 0, 1, 0});
       }},
      {"node('SoftmaxCrossEntropyLoss', 'x', ints(2, 0))",
       {2, 3},
       [](const L& x) {
         return lossOf(logSoftmax(x, 1), {0, 0, 0.5F, 0.5F, 0, 0});
       }},
      {"node('SoftmaxCrossEntropyLoss', 'x', ints(2, 0, 1), constant([0.5, 1, 2], numpy.float32), "
       "ignore_index=0)",
       {3, 3},
       [](const L& x) {
         return lossOf(logSoftmax(x, 1), {0, 0, 2 / 3.0F, 0, 0, 0, 0, 1 / 3.0F, 0});
       }},
      {"helper.make_node('SoftmaxCrossEntropyLoss', ['x', ints(1, -1)], ['loss', 'y'], ignore_index=-1)",
       {2, 3},
       [](const L& x) { return logSoftmax(x, 1); }},
      {"node('NegativeLogLikelihoodLoss', 'x', ints(1, 0), reduction='sum')",
       {2, 2},
       [](const L& x) {
         return lossOf(x, {0, 1, 1, 0});
       }},
      {"node('NegativeLogLikelihoodLoss', 'x', constant([[0, 1, 0], [1, 1, 0]], numpy.int64), "
       "reduction='none')",
       {2, 2, 3},
       [](const L& x) {
         const L first = reshape(slice(x, {Slice{}, Slice{0, 1}}), {2, 3});
         const L second = reshape(slice(x, {Slice{}, Slice{1, 2}}), {2, 3});
         return -where(L(Tensor<float>({2, 3}, {0, 1, 0, 1, 1, 0})), second, first);
       }},
      {"node('Greater', 'x', floats(0), to='g'), node('And', 'g', cast('w'), to='v'), node('Not', 'v', "
       "to='z'), "
       "node('Cast', 'z', type=1)",
       {2, 3},
       [](const L& x) { return where(x > 0.0F, 0, 1); }}};
}

/// Makes N.onnx for each operation.
std::string script() {
  std::string text = R"(
try:
    import onnx
    from onnx import helper, numpy_helper, TensorProto
    import numpy
except ImportError:
    print("none")
    exit()
made = []
def constant(values, kind):
    made.append(numpy_helper.from_array(numpy.array(values, dtype=kind), "c%d" % len(made)))
    return made[-1].name
def ints(*values): return constant(values, numpy.int64)
def floats(value): return constant(value, numpy.float32)
def cast(name):
    before.append(helper.make_node("Cast", [name], ["cast_" + name], to=9))
    return "cast_" + name
def node(kind, *inputs, to="y", type=None, **attributes):
    if type: attributes["to"] = type
    return helper.make_node(kind, list(inputs) or ["x"], [to], **attributes)
def model(file, opset, *nodes):
    inits = [numpy_helper.from_array(numpy.array([[1, -2, 3], [0.5, -1, 2]], dtype=numpy.float32), "w"),
             numpy_helper.from_array(numpy.array([0.25, -0.5], dtype=numpy.float32), "b")] + made
    graph = helper.make_graph(before + list(nodes), "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, None)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], inits)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)]), file)
    made.clear(); before.clear()
before = []
)";
  for (std::size_t i = 0; const auto& each : importedOperations())
    text +=
        "model('" + std::to_string(i++) + ".onnx', " + std::to_string(each.opset) + ", " + each.nodes + ")\n";
  return text;
}

}  // namespace

TEST_CASE("operations that only other programs write are read from their files, and written again") {
  const TemporaryDirectory directory;
  const auto output = python(directory, script());
  if (!output || *output == "none\n") {
    MESSAGE("tapestry test skipped: there is no python3-onnx");
    return;
  }
  for (std::size_t i = 0; const auto& each : importedOperations()) {
    INFO(each.nodes);
    const L x(someInput(each.input));
    const auto network = importOnnx(directory / (std::to_string(i++) + ".onnx"));
    const auto expected = predict(each.expected(x)).blockingAwait();
    const auto got = predict(network(x)).blockingAwait();
    REQUIRE(got.shape() == expected.shape());
    for (std::size_t k = 0; k < got.size(); ++k)
      CHECK(got.data()[k] == doctest::Approx(expected.data()[k]).epsilon(1e-6));
    exportOnnx(network(x), {{"x", x}}, directory / "again.onnx", {.batch = each.batch});
    const auto again = predict(importOnnx(directory / "again.onnx")(x)).blockingAwait();
    REQUIRE(again.shape() == got.shape());
    for (std::size_t k = 0; k < got.size(); ++k)
      CHECK(again.data()[k] == doctest::Approx(got.data()[k]).epsilon(1e-6));
  }
}
