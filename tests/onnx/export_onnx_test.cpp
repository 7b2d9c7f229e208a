#include <tapestry/onnx/export_onnx.hpp>

#include <doctest/doctest.h>

#include "onnx/networks.hpp"
#include "onnx/python3_onnx.hpp"
#include "support/callable.hpp"
#include "tapestry/deeplearning.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::test;

/// The message of exporting the layer with the input x.
template <class L>
std::string problem(const L& layer, const TensorLayer& x, const OnnxExportOptions& options = {}) {
  const TemporaryDirectory directory;
  auto text = directory.errorOf([&] { exportOnnx(layer, {{"x", x}}, directory / "m.onnx", options); });
  CHECK(directory.files() == (text == "none" ? 1 : 0));
  return text;
}

}  // namespace

TEST_CASE("a network comes back from its file with results within 1e-5") {
  const TemporaryDirectory directory;
  for (const auto& network : someNetworks()) {
    INFO(network.name);
    const TensorLayer x(someInput(network.input));
    const TensorLayer y = network.build(x);
    exportOnnx(y, {{"x", x}}, directory / "m.onnx");
    const auto expected = predict(y).blockingAwait();
    const auto got = predict(importOnnx(directory / "m.onnx")(x)).blockingAwait();
    REQUIRE(got.shape() == expected.shape());
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(std::abs(got.data()[i] - expected.data()[i]) <=
            1e-5f * std::max(1.0f, std::abs(expected.data()[i])));
  }
}

TEST_CASE("python3-onnx finds that all files conform to the format, with the shapes of the network") {
  const TemporaryDirectory directory;
  std::string script = "from onnx import checker, shape_inference\nexpected = {}\n";
  for (std::size_t i = 0; const auto& network : someNetworks()) {
    const TensorLayer x(someInput(network.input));
    const TensorLayer y = network.build(x);
    const std::string name = std::to_string(i++) + ".onnx";
    exportOnnx(y, {{"x", x}}, directory / name, {.outputs = {"y"}});
    script += "expected['" + name + "'] = " + toString(predict(y).blockingAwait().shape()) + "\n";
  }
  python3Onnx(directory, script + R"(
for name, shape in expected.items():
    model = onnx.load(name)
    checker.check_model(model, full_check=True)
    assert model.producer_name == "tapestry" and model.opset_import[0].version == 12
    inferred = shape_inference.infer_shapes(model, strict_mode=True)
    y, = inferred.graph.output
    assert y.name == "y"
    assert [d.dim_value for d in y.type.tensor_type.shape.dim] == shape, (name, y, shape)
print("all right")
)");
}

TEST_CASE("weights keep their names and values, and running statistics theirs") {
  const TemporaryDirectory directory;
  Generator generator(3);
  const auto model =
      sequential(Conv2d<>({.inputs = 1, .outputs = 2, .kernel = 2}, generator), BatchNorm<>(2));
  const TensorLayer x(someInput({1, 1, 3, 3}));
  exportOnnx(model(x), {{"image", x}}, directory / "m.onnx",
             {.weights = model.weights(), .outputs = {"scores"}});
  const auto network = importOnnx(directory / "m.onnx");
  CHECK(network.inputs().size() == 1);
  CHECK(network.inputs()[0].name == "image");
  CHECK(network.inputs()[0].shape == std::vector<std::optional<std::size_t>>{1, 1, 3, 3});
  CHECK(network.outputs() == std::vector<std::string>{"scores"});
  const Weights weights = network.weights();
  CHECK(weights.size() == model.weights().size());
  for (const auto& named : model.weights())
    std::visit(
        [&]<class W>(const W& weight) {
          if constexpr (requires { weight.data().values(); })
            CHECK(std::get<W>(weights[named.name]).data() == weight.data());
        },
        named.weight);
}

TEST_CASE("running averages of a network that is written and read keep their momentum") {
  const TemporaryDirectory directory;
  const BatchNorm<> norm(1, 0.25);
  const TensorLayer x(Tensor<float>({2, 1}, {3, 5}));
  exportOnnx(norm(x), {{"x", x}}, directory / "m.onnx", {.weights = norm.weights()});
  const auto network = importOnnx(directory / "m.onnx");
  train(sum(network(x))).blockingAwait();
  CHECK(std::get<RunningAverage<Tensor<float>>>(network.weights()["mean"]).data() == Tensor<float>({1}, {1}));
}

TEST_CASE("a batch of any size has a name in the file, and the network runs on other sizes") {
  const TemporaryDirectory directory;
  Generator generator(3);
  const Dense<> dense(6, 2, generator);
  const TensorLayer x(someInput({1, 2, 3}));
  const auto network = [&](const TensorLayer& images) {
    const std::size_t size = images.node()->knownShape()->begin()[0];
    return dense(reshape(images * 2, {size, 6}));
  };
  exportOnnx(network(x), {{"x", x}}, directory / "m.onnx", {.batch = "N"});
  const auto imported = importOnnx(directory / "m.onnx");
  CHECK(imported.inputs()[0].shape == std::vector<std::optional<std::size_t>>{std::nullopt, 2, 3});
  const TensorLayer many(someInput({4, 2, 3}));
  CHECK(predict(imported(many)).blockingAwait() == predict(network(many)).blockingAwait());
  // a constant that has the extent of the batch by chance
  const TensorLayer two(someInput({2, 3}));
  const Tensor<float> first({3, 2}, {1, 2, 3, 4, 5, 6}), second({2, 3}, {1, -2, 3, -4, 5, -6});
  exportOnnx(matmul(matmul(two, first), second), {{"x", two}}, directory / "m.onnx", {.batch = "N"});
  const TensorLayer five(someInput({5, 3}));
  CHECK(predict(importOnnx(directory / "m.onnx")(five)).blockingAwait() ==
        predict(matmul(matmul(five, first), second)).blockingAwait());
}

TEST_CASE("planes of any rank are pooled with a batch of any size") {
  const TemporaryDirectory directory;
  for (const auto& [shape, other] :
       {std::pair(Shape{2, 6, 6}, Shape{5, 6, 6}), std::pair(Shape{2, 3, 6, 6}, Shape{5, 3, 6, 6}),
        std::pair(Shape{2, 3, 4, 6, 6}, Shape{5, 3, 4, 6, 6})}) {
    const TensorLayer x(someInput(shape)), five(someInput(other));
    exportOnnx(maxPool2d(x, {.window = 2}), {{"x", x}}, directory / "m.onnx", {.batch = "N"});
    CHECK(predict(importOnnx(directory / "m.onnx")(five)).blockingAwait() ==
          predict(maxPool2d(five, {.window = 2})).blockingAwait());
  }
}

TEST_CASE("a network that fits only one size of the batch is refused") {
  const TensorLayer x(someInput({2, 3})), one(someInput({1, 4})), square(someInput({2, 2}));
  const auto refused = [](const auto& layer, const TensorLayer& input) {
    const auto text = problem(layer, input, {.batch = "N"});
    CHECK(text.starts_with(
        "tapestry::exportOnnx: the network fits only one size of the batch, got for \"N\" = "));
    CHECK(text.ends_with(
        "\", expected no shape and no constant that depends on the batch (or export without it)"));
    return text;
  };
  CHECK(refused(reshape(x, {6}), x)
            .find(" = 10009 the error \"tapestry::reshape: the sizes differ, got [10009, 3] to [6]") !=
        std::string::npos);
  refused(reshape(one, {4}), one);
  refused(reshape(permute(x, {1, 0}), {3, 2, 1}), x);
  refused(broadcastTo(one, {3, 4}), one);
  refused(x + x * Tensor<float>::zeros({2, 3}), x);
  const TensorLayer vector(someInput({5}));
  refused(vector * Tensor<float>::zeros({5}), vector);
  CHECK(problem(reshape(x, {2, 3, 1}), x, {.batch = "N"}) == "none");
  CHECK(problem(reshape(x, {2, 3}), x, {.batch = "N"}) == "none");
  // behind a choice, whose shape a pass finds
  const OnnxChoice choice(sum(x) > 0.0, x, x * 2);
  CHECK(problem(reshape(choice.layer(), {2, 3, 1}), x, {.batch = "N", .choices = {choice}}) == "none");
  CHECK(problem(reshape(choice.layer(), {6}), x, {.batch = "N", .choices = {choice}})
            .starts_with(
                "tapestry::exportOnnx: the network fits only one size of the batch, got for \"N\" = 9 "));
}

TEST_CASE("an extent of an output has the name of the batch if it changes with the batch") {
  const TemporaryDirectory directory;
  const TensorLayer x(someInput({3, 3}));
  exportOnnx(std::tuple(transpose(x), sum(x, {0}), concat(std::vector{x, x}, 0)), {{"x", x}},
             directory / "m.onnx", {.batch = "N"});
  python3Onnx(directory, R"(
from onnx import checker
model = onnx.load("m.onnx")
checker.check_model(model, full_check=True)
extents = [[d.dim_param or d.dim_value for d in y.type.tensor_type.shape.dim] for y in model.graph.output]
assert extents == [[3, "N"], [3], ["N_output2_0", 3]], extents
print("all right")
)");
}

TEST_CASE("a tuple becomes several outputs, a scalar an output of no axes, and Indices an input") {
  const TemporaryDirectory directory;
  Generator generator(3);
  const Embedding<> embedding(5, 3, generator);
  const Indices words{3, 1};
  const auto rows = embedding(words);
  exportOnnx(std::tuple(rows, mean(rows)), {{"words", words}}, directory / "m.onnx",
             {.weights = embedding.weights(), .outputs = {"rows", "mean"}});
  const auto network = importOnnx(directory / "m.onnx");
  CHECK(network.inputs()[0].indices);
  const Indices others{0, 4, 2};
  const auto outputs = network.all({others});
  const auto expected = predict(embedding(others)).blockingAwait();
  CHECK(predict(outputs[0]).blockingAwait() == expected);
  const auto average = predict(outputs[1]).blockingAwait();
  CHECK(average.shape() == Shape{});
  CHECK(average.item() == doctest::Approx(predict(mean(embedding(others))).blockingAwait()));
}

TEST_CASE("empty Indices of the network are not taken for an empty input") {
  const TemporaryDirectory directory;
  Generator generator(3);
  const Embedding<> embedding(5, 3, generator);
  const Indices ids(Shape{0}, {}), own(Shape{0}, {});
  CHECK(directory.errorOf([&] {
                   exportOnnx(embedding(own), {{"ids", ids}}, directory / "m.onnx");
                 })
            .starts_with("tapestry::exportOnnx: the layer does not depend on the input \"ids\""));
}

TEST_CASE("a layer that is made in a pass is refused, with its place") {
  const TensorLayer x(someInput({2}));
  const TensorLayer dynamic(forward(x).flatMap([x](const auto&) { return forward(x * 2); }));
  const auto line = std::to_string(__LINE__ - 1);
  const auto text = problem(dynamic + 1, x);
  CHECK(text.starts_with(
      "tapestry::exportOnnx: a layer that is made while a pass runs cannot be written, got the "
      "program (flatMap, tuple2 or direct) of the layer made at "));
  CHECK(text.find("export_onnx_test.cpp:" + line +
                  ", expected operations alone, or a choice between known layers") != std::string::npos);
}

TEST_CASE("a choice between known layers becomes an If, of which a pass evaluates one branch") {
  const TemporaryDirectory directory;
  const TensorLayer x(someInput({2}));
  const TensorLayer twice = x * 2;  // both branches need it
  const OnnxChoice choice(sum(x) > 0.0, exp(twice), twice - 1);
  const Dense<> dense(Tensor<float>({2, 1}, {1, 2}));
  exportOnnx(dense(choice.layer()) + 1, {{"x", x}}, directory / "m.onnx",
             {.outputs = {"y"}, .choices = {choice}});
  const auto network = importOnnx(directory / "m.onnx");
  for (const float second : {-1.0F, 1.0F}) {
    const Tensor<float> value({2}, {0.5F, second});
    const TensorLayer v(value);
    const auto expected = dense(second > 0 ? exp(v * 2) : v * 2 - 1) + 1;
    CHECK(predict(network(v)).blockingAwait() == predict(expected).blockingAwait());
  }
  python3Onnx(directory, R"(
from onnx import checker
model = onnx.load("m.onnx")
checker.check_model(model, full_check=True)
branches = [a.g for n in model.graph.node if n.op_type == "If" for a in n.attribute]
assert sorted(n.op_type for b in branches for n in b.node if n.op_type != "Constant") == ["Exp", "Identity", "Identity", "Sub"]
print("all right")
)");
}

TEST_CASE("weights in a file beside the model can be read and written by python3-onnx") {
  const TemporaryDirectory directory;
  Generator generator(3);
  const auto model = sequential(Dense<>(6, 4, generator), operations::relu, Dense<>(4, 2, generator));
  const TensorLayer x(someInput({2, 3, 2}));
  const auto y = model(reshape(x, {2, 6}));
  exportOnnx(y, {{"x", x}}, directory / "m.onnx", {.weights = model.weights(), .dataFile = "w.bin"});
  CHECK(directory.read("w.bin").size() == model.weights().elements() * sizeof(float));
  const auto expected = predict(y).blockingAwait();
  CHECK(predict(importOnnx(directory / "m.onnx")(x)).blockingAwait() == expected);
  const auto bias = std::get<TensorWeight>(model.weights()["2.bias"]);
  bias.setData(Tensor<float>({2}, {1, -2}));
  exportOnnx(y, {{"x", x}}, directory / "m.onnx", {.weights = model.weights(), .dataFile = "w.bin"});
  const bool ran = python3Onnx(directory, R"(
from onnx import checker, numpy_helper
checker.check_model("m.onnx")
model = onnx.load("m.onnx")
weights = {w.name: numpy_helper.to_array(w) for w in model.graph.initializer}
assert weights["0.weight"].shape == (6, 4) and weights["2.bias"].tolist() == [1, -2], weights
onnx.save_model(model, "again.onnx", save_as_external_data=True, location="again.bin", size_threshold=0)
print("all right")
)");
  if (!ran) return;
  CHECK(directory.read("again.bin").size() > directory.read("w.bin").size());  // also the shape
  CHECK(predict(importOnnx(directory / "again.onnx")(x)).blockingAwait() == predict(y).blockingAwait());
}

TEST_CASE("transposes of any rank and poolings with one stride come back from their files") {
  const TemporaryDirectory directory;
  const TensorLayer x(someInput({2, 1, 6, 6}));
  for (const TensorLayer& y :
       {TensorLayer(transpose(x)), TensorLayer(maxPool2d(x, {.window = {2, 3}, .stride = {1, 0}}))}) {
    exportOnnx(y, {{"x", x}}, directory / "m.onnx");
    CHECK(predict(importOnnx(directory / "m.onnx")(x)).blockingAwait() == predict(y).blockingAwait());
  }
}

TEST_CASE("a model that Protocol Buffers cannot hold is refused, and so is a data file elsewhere") {
  const TensorLayer x(Tensor<float>::zeros({1}));
  const auto large = Tensor<float>::zeros({std::size_t{1} << 24});  // shared by all weights
  TensorLayer y = x;
  for (int i = 0; i < 33; ++i) y = y + TensorWeight(large);
  CHECK(problem(y, x) ==
        "tapestry::exportOnnx: m.onnx: too large a model, got 2214592512 bytes, expected at most 2147483647, "
        "the limit of Protocol Buffers (OnnxExportOptions::dataFile keeps weights apart)");
  for (const std::string name : {"../w.bin", "/w.bin", "m.onnx", ".."})
    CHECK(problem(x * 2, x, {.dataFile = name}) ==
          "tapestry::exportOnnx: no name of a data file, got \"" + name +
              "\", expected that of another file in the model's folder");
}

TEST_CASE("a network that a file cannot hold is refused before anything is written") {
  const TensorLayer x(someInput({2, 3}));
  const auto swish = elementwise<"swish">([](auto u) { return u / (1 + exp(-u)); });
  CHECK(problem(swish(x), x) ==
        "tapestry::exportOnnx: the operation swish has no counterpart in the file, got it in the network, "
        "expected one of those that docs/files_of_others.md lists");
  CHECK(problem(sum(x, Axes{}), x) ==
        "tapestry::exportOnnx: the operation sum has an empty list of axes, expected some or all axes");
  CHECK(problem(x * 2, TensorLayer(someInput({2, 3}))) ==
        "tapestry::exportOnnx: the layer does not depend on the input \"x\", got a layer or Indices that it "
        "was "
        "not built on, expected those of its operations");
  CHECK(problem(x * 2, x, {.outputs = {"a", "b"}}) ==
        "tapestry::exportOnnx: another number of outputs, got 2 names, expected 1");
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] {
                   exportOnnx(x * 2, {{"x", x}}, directory / "none" / "m.onnx");
                 })
            .starts_with("tapestry::exportOnnx: none/m.onnx: "));
  CHECK(directory.errorOf([&] {
    exportOnnx(x * 2, {{"x", x}, {"x", x}}, directory / "m.onnx");
  }) == "tapestry::exportOnnx: the names of inputs, got \"x\" twice or empty, expected a name for each");
}

TEST_CASE("a name that an input, an output or a weight already has is refused") {
  const TensorLayer x(someInput({2, 3}));
  const TensorWeight w(Tensor<float>({3}, {1, 2, 3}));
  const Weights weights{{"w", w}};
  const auto refused = [](const std::string& kind, const std::string& name, const std::string& problem) {
    return "tapestry::exportOnnx: the names of " + kind + ", got \"" + name + "\"" + problem;
  };
  const std::string twice = " twice or empty, expected a name for each",
                    taken = ", which an input or a weight has, expected other names";
  CHECK(problem(std::tuple(x * 2, x + 1), x, {.outputs = {"a", "a"}}) == refused("outputs", "a", twice));
  CHECK(problem(x * 2, x, {.outputs = {""}}) == refused("outputs", "", twice));
  CHECK(problem(x * 2, x, {.outputs = {"x"}}) == refused("outputs", "x", taken));
  CHECK(problem(x * w, x, {.weights = weights, .outputs = {"w"}}) == refused("outputs", "w", taken));
  CHECK(problem(x * 2, x, {.weights = weights, .outputs = {"w"}}) == "none");  // the file has no weight
  const TemporaryDirectory directory;
  const auto named = [&](const std::vector<OnnxArgument>& inputs) {
    return directory.errorOf([&] { exportOnnx(x * w, inputs, directory / "m.onnx", {.weights = weights}); });
  };
  CHECK(named({{"w", x}}) == refused("inputs", "w", taken));
  CHECK(named({{"", x}}) == refused("inputs", "", twice));
  CHECK(named({{"output", x}}) == refused("outputs", "output", taken));
  CHECK(directory.files() == 0);
}

TEST_CASE("translate moves rows along the batch, which may have any size") {
  const TemporaryDirectory directory;
  const TensorLayer x(someInput({2, 3})), five(someInput({5, 3}));
  for (const std::ptrdiff_t rows : {-3, -1, 1, 3}) {
    exportOnnx(translate(x, {rows, 1}), {{"x", x}}, directory / "m.onnx", {.batch = "N"});
    CHECK(predict(importOnnx(directory / "m.onnx")(five)).blockingAwait() ==
          predict(translate(five, {rows, 1})).blockingAwait());
  }
}

TEST_CASE("the indices of scatter may be an input, with any number of rows") {
  const TemporaryDirectory directory;
  const TensorLayer x(someInput({2, 3}));
  const Indices rows{3, -3};
  exportOnnx(scatter(x, rows, 0, 4), {{"x", x}, {"rows", rows}}, directory / "m.onnx", {.batch = "N"});
  const auto network = importOnnx(directory / "m.onnx");
  const TensorLayer five(someInput({5, 3}));
  const Indices others{0, 2, 0, 1, -1};
  const auto expected = predict(scatter(five, others, 0, 4)).blockingAwait();
  const auto got = predict(network.all({five, others})[0]).blockingAwait();
  REQUIRE(got.shape() == expected.shape());
  for (std::size_t i = 0; i < got.size(); ++i)
    CHECK(got.data()[i] == doctest::Approx(expected.data()[i]).epsilon(1e-6));
}

TEST_CASE("a weight that a branch of an If and the rest of the network use is written once") {
  const TemporaryDirectory directory;
  const TensorLayer x(someInput({2}));
  const TensorWeight w(Tensor<float>({2}, {3, -2}));
  const OnnxChoice choice(sum(x) > 0.0, x * w, x - 1);
  for (const TensorLayer& y : {TensorLayer(choice.layer() + w), TensorLayer(w + choice.layer())}) {
    exportOnnx(y, {{"x", x}}, directory / "m.onnx", {.choices = {choice}});
    const auto network = importOnnx(directory / "m.onnx");
    CHECK(network.weights().size() == 1);
    const TensorLayer v(Tensor<float>({2}, {1, 2}));
    CHECK(predict(network(v)).blockingAwait() == predict(v * w + w).blockingAwait());
  }
}

TEST_CASE("a shape with a new extent of 0 is refused, since ONNX would keep another one") {
  const TensorLayer x(Tensor<float>::zeros({2, 0, 3}));
  CHECK(problem(reshape(x, {0, 6}), x) ==
        "tapestry::exportOnnx: a shape without elements cannot be written, got [2, 0, 3] to [0, 6], expected "
        "an extent of 0 only where there was one before");
  CHECK(problem(reshape(x, {6, 0}), x) == "none");
}

TEST_CASE("rows that Indices choose, and positions, come back from a file with any size of the batch") {
  const TemporaryDirectory directory;
  Generator generator(3);
  const Embedding<> embedding(5, 4, generator);
  const TensorWeight positions(someInput({3, 4}));
  const auto network = [&](const Indices& ids) { return embedding(ids) + positions; };
  const Indices ids(Shape{2, 3}, {0, 4, 2, 1, 1, 3}), others(Shape{1, 3}, {3, 0, 4});
  for (const std::string batch : {"", "N"}) {
    exportOnnx(network(ids), {{"ids", ids}}, directory / "m.onnx", {.batch = batch});
    const auto copy = importOnnx(directory / "m.onnx");
    CHECK(predict(copy.all({ids})[0]).blockingAwait() == predict(network(ids)).blockingAwait());
    CHECK(predict(copy.all({others})[0]).blockingAwait() == predict(network(others)).blockingAwait());
  }
}

TEST_CASE("exportOnnx refuses arguments that are not a network, a list of inputs and a path") {
  using Inputs = std::vector<OnnxArgument>;
  static_assert(TAPESTRY_CALLABLE(exportOnnx, TensorLayer, Inputs, std::filesystem::path));
  static_assert(TAPESTRY_CALLABLE(exportOnnx, std::tuple<TensorLayer, DoubleLayer>, Inputs, std::string));
  static_assert(TAPESTRY_CALLABLE(exportOnnx, TensorWeight, Inputs, const char*, OnnxExportOptions));
  static_assert(!TAPESTRY_CALLABLE(exportOnnx, Nothing, Inputs, std::filesystem::path));
  static_assert(!TAPESTRY_CALLABLE(exportOnnx, OnnxNetwork, Inputs, std::filesystem::path));
  static_assert(!TAPESTRY_CALLABLE(exportOnnx, TensorLayer, TensorLayer, std::filesystem::path));
  static_assert(!TAPESTRY_CALLABLE(exportOnnx, TensorLayer, Inputs, Nothing));
  static_assert(!TAPESTRY_CALLABLE(exportOnnx, TensorLayer, Inputs, std::filesystem::path, Weights));
  static_assert(!TAPESTRY_CALLABLE(exportOnnx, TensorLayer, Inputs));
}
