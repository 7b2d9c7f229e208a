#include <tapestry/onnx/import_onnx.hpp>

#include <sys/resource.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "onnx/networks.hpp"
#include "support/callable.hpp"
#include "support/system/temporary_directory.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/onnx/export_onnx.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::test;

/// A whole number in seven bits of each byte.
std::string varint(std::size_t number) {
  std::string bytes;
  for (; number >= 128; number >>= 7) bytes += static_cast<char>(number | 128);
  return bytes + static_cast<char>(number);
}

/// The bytes of a message's field.
std::string field(unsigned number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}
std::string field(unsigned number, char value) { return varint(number << 3) + value; }

std::string value(unsigned number, const std::string& name, char type = 1) {
  return field(number, field(1, name) + field(2, field(1, field(1, type))));
}
std::string model(const std::string& graph, char opset = 13) {
  return field(7, graph) + field(8, field(2, opset));
}
std::string modelOf(const std::string& nodes) { return model(nodes + value(11, "x") + value(12, "y")); }

/// The names, each as a field.
std::string names(unsigned number, const std::vector<std::string>& all) {
  std::string bytes;
  for (const auto& name : all) bytes += field(number, name);
  return bytes;
}
std::string node(const std::string& operation, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs, const std::string& attributes = "") {
  return field(1, names(1, inputs) + names(2, outputs) + field(3, "n") + field(4, operation) + attributes);
}
/// A node of the operation from x to y.
std::string node(const std::string& operation, const std::string& attributes = "") {
  return node(operation, {"x"}, {"y"}, attributes);
}
/// An attribute, whose value is a field.
std::string attribute(const std::string& name, const std::string& value, char type) {
  return field(5, field(1, name) + value + field(20, type));
}
template <class T>
std::string tensor(const std::string& name, const std::vector<char>& shape, const std::vector<T>& values,
                   char type) {
  std::string dims;
  for (const char extent : shape) dims += field(1, extent);
  const std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return dims + field(2, type) + field(8, name) + field(9, bytes);
}
/// Initializers.
std::string floats(const std::string& name, const std::vector<char>& shape,
                   const std::vector<float>& values) {
  return field(5, tensor(name, shape, values, 1));
}
std::string whole(const std::string& name, const std::vector<char>& shape,
                  const std::vector<std::int64_t>& values) {
  return field(5, tensor(name, shape, values, 7));
}

OnnxNetwork imported(const std::string& content) {
  const TemporaryDirectory directory;
  return importOnnx(directory.write("m.onnx", content));
}

std::string problem(const std::string& content) {
  const TemporaryDirectory directory;
  const auto text = directory.errorOf([&] { (void)importOnnx(directory.write("m.onnx", content)); });
  const std::string start = "tapestry::importOnnx: m.onnx: ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

/// A file with weights, attributes, a constant and settings.
std::string someFile() {
  const TemporaryDirectory directory;
  const auto& networks = someNetworks();
  const auto& network = networks.back();
  const TensorLayer x(someInput(network.input));
  exportOnnx(network.build(x) + 0.5F, {{"x", x}}, directory / "m.onnx");
  return directory.read("m.onnx");
}

}  // namespace

TEST_CASE("a file of a few bytes by the format's description is a network") {
  const auto network = imported(modelOf(node("Tanh")));
  const Tensor<float> x({3}, {-1, 0, 2});
  CHECK(predict(network(x)).blockingAwait() == predict(tanh(TensorLayer(x))).blockingAwait());
  CHECK(network.inputs()[0].name == "x");
  CHECK_FALSE(network.inputs()[0].shape);
  CHECK(network.weights().size() == 0);
}

TEST_CASE("a network from a file trains as the network that was written") {
  const TemporaryDirectory directory;
  Generator generator(5);
  const auto original = sequential(Dense<>(3, 4, generator), operations::tanh, Dense<>(4, 2, generator));
  const TensorLayer x(someInput({2, 3}));
  exportOnnx(original(x), {{"x", x}}, directory / "m.onnx", {.weights = original.weights()});
  const auto copy = sequential(importOnnx(directory / "m.onnx"));
  for (int step = 0; step < 3; ++step) {
    const auto loss = train(mean(original(x) * original(x))).blockingAwait();
    CHECK(train(mean(copy(x) * copy(x))).blockingAwait() == doctest::Approx(loss).epsilon(1e-6));
  }
  const auto& before = std::get<TensorWeight>(original.weights()["0.weight"]).data();
  const auto& after = std::get<TensorWeight>(copy.weights()["0.0.weight"]).data();
  REQUIRE(after.shape() == before.shape());
  for (std::size_t i = 0; i < after.size(); ++i) CHECK(after.data()[i] == doctest::Approx(before.data()[i]));
}

TEST_CASE("shapes that are known only in a pass are found there") {
  const auto network = imported(modelOf(node("Flatten")));
  const TensorLayer x(someInput({2, 3, 2}));
  const TensorLayer late(forward(x).flatMap([x](const auto&) { return forward(x); }));
  CHECK(predict(network(late)).blockingAwait() == someInput({2, 6}));
}

TEST_CASE("Erf and its derivative are within 3e-7 of the exact ones, also at the ends") {
  const auto network = imported(modelOf(node("Erf")));
  constexpr std::size_t count = 12'001;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto x = Tensor<float>::uninitialized({count});
  for (std::size_t i = 0; i < count; ++i) x.exclusiveData()[i] = (static_cast<float>(i) - 6000) / 1000;
  const TensorWeight w(x);
  const auto y = predict(network(w)).blockingAwait();
  const auto slope = gradients(sum(network(w))).blockingAwait().of(w);
  double worst = 0, worstSlope = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = x.data()[i], exact = 2 * std::numbers::inv_sqrtpi * std::exp(-u * u);
    worst = std::max(worst, std::abs(y.data()[i] - std::erf(u)));
    worstSlope = std::max(worstSlope, std::abs(slope.data()[i] - exact));
  }
  CHECK(worst < 3e-7);
  CHECK(worstSlope < 3e-7);
  const auto ends =
      predict(network(Tensor<float>({3}, {-infinity, infinity, std::nanf("")}))).blockingAwait();
  CHECK(ends(0) == -1);
  CHECK(ends(1) == 1);
  CHECK(std::isnan(ends(2)));
}

TEST_CASE("an operation that is not known is named") {
  CHECK(problem(modelOf(node("Det") + node("LSTM") + node("Tanh"))) ==
        "operations that are not known, got \"Det\", \"LSTM\", expected those that "
        "docs/files_of_others.md lists");
  CHECK(problem(modelOf(field(1, field(4, "Tanh") + field(7, "own")))) ==
        "operations that are not known, got \"own.Tanh\", expected those that "
        "docs/files_of_others.md lists");
  CHECK(problem(modelOf(node(std::string("D\0et\n", 5)))) ==
        "operations that are not known, got \"D?et?\", expected those that docs/files_of_others.md lists");
}

TEST_CASE("a node that does not fit is named, with what it lacks") {
  CHECK(problem(modelOf(node("Add"))) == "node \"n\" (Add): input 1 is missing, got none, expected one");
  CHECK(problem(modelOf(node("Concat"))) ==
        "node \"n\" (Concat): attribute axis is missing, got none, expected one");
  CHECK(problem(modelOf(node("Gelu", attribute("approximate", field(4, "sign"), 3)))) ==
        "node \"n\" (Gelu): the form is not known, got approximate \"sign\", expected \"none\" or \"tanh\"");
  CHECK(problem(modelOf(node("Split", attribute("split", field(8, varint(std::size_t{0} - 2)), 7)))) ==
        "node \"n\" (Split): a length out of range, got -2, expected 0 to 2147483647");
  CHECK(problem(modelOf(field(1, field(2, "y") + field(4, "Tanh")))) ==
        "node \"y\" (Tanh): input 0 is missing, got none, expected one");
  CHECK(problem(modelOf(node("Concat", attribute("axis", field(4, "1"), 3)))) ==
        "node \"n\" (Concat): attribute axis is of another type, got STRING, expected INT");
  CHECK(
      problem(modelOf(node("Concat", attribute("axis", field(4, "1"), 2))))
          .find(
              "attribute \"axis\": no value of its type, got one of another type, expected one of type 2") !=
      std::string::npos);
  CHECK(problem(model(node("Tanh") + value(12, "y"))) ==
        "node \"n\" (Tanh): input 0 is unknown, got \"x\", expected an input, an initializer, or an output "
        "of a "
        "node before");
  CHECK(problem(model(value(11, "x") + value(12, "z"))) ==
        "output \"z\" is unknown, got no numbers of that name, expected the output of a node");
  CHECK(problem(model(value(11, "x", 8) + value(12, "x"))) ==
        "input \"x\": elements of another type, got type 8, expected numbers or whole numbers");
}

TEST_CASE("what Indices of an input choose may have any shape while the file is read") {
  std::vector<float> table(20), positions(12, 0.5F);
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i);
  const auto rows = value(11, "ids", 7) + floats("table", {5, 4}, table) +
                    node("Identity", {"ids"}, {"same"}) + node("Gather", {"table", "same"}, {"e"});
  const auto rest = value(12, "y");
  const Indices ids(Shape{2, 3}, {0, 4, 2, 1, 1, 3});
  const auto made = [&](const std::string& nodes) {
    const auto network = imported(model(rows + nodes + rest));
    return predict(network.all({ids})[0]).blockingAwait();
  };
  const TensorLayer chosen = gather(TensorLayer(Tensor<float>({5, 4}, table)), ids);
  CHECK(made(floats("p", {3, 4}, positions) + node("Add", {"e", "p"}, {"y"})) ==
        predict(chosen + 0.5F).blockingAwait());
  CHECK(made(whole("s", {4}, {2, 3, 2, 2}) + node("Reshape", {"e", "s"}, {"y"})) ==
        predict(reshape(chosen, {2, 3, 2, 2})).blockingAwait());
  CHECK(made(node("Transpose", {"e"}, {"y"})) == predict(permute(chosen, {2, 1, 0})).blockingAwait());
}

TEST_CASE("the statistics of a batch normalization may be shared, copied or constant") {
  const auto made = [&](const std::string& nodes) {
    return imported(model(value(11, "x") + nodes + value(12, "y")));
  };
  const Tensor<float> x({1, 2}, {3, 5});
  const auto check = [&](const OnnxNetwork& network, float first, float second) {
    const auto y = predict(network(x)).blockingAwait();
    CHECK(y.data()[0] == doctest::Approx(first).epsilon(1e-4));
    CHECK(y.data()[1] == doctest::Approx(second).epsilon(1e-4));
  };
  const auto gain = floats("g", {2}, {1, 1}), bias = floats("b", {2}, {0, 0}),
             mean = floats("m", {2}, {1, 2}), variance = floats("v", {2}, {4, 4});
  check(made(gain + mean + node("BatchNormalization", {"x", "g", "m", "m", "g"}, {"y"})), 3, 5);
  const auto constant = attribute("value", field(5, tensor("", {2}, std::vector<float>{1, 2}, 1)), 4);
  check(made(gain + bias + variance + node("Constant", {}, {"m"}, constant) +
             node("BatchNormalization", {"x", "g", "b", "m", "v"}, {"y"})),
        1, 1.5F);
  const auto copied = made(gain + bias + mean + variance + node("Identity", {"m"}, {"m2"}) +
                           node("BatchNormalization", {"x", "g", "b", "m2", "v"}, {"y"}));
  check(copied, 1, 1.5F);
  CHECK(std::holds_alternative<RunningAverage<Tensor<float>>>(copied.weights()["m"]));
  CHECK(std::holds_alternative<RunningAverage<Tensor<float>>>(copied.weights()["v"]));
}

TEST_CASE("a running average within a branch of an If has the momentum of its normalization") {
  const auto momentum = attribute("momentum", varint(2 << 3 | 5) + std::string("\0\0\0\x3f", 4), 1);
  const auto normalized = node("BatchNormalization", {"x", "g", "b", "m", "v"}, {"z"}, momentum);
  const auto otherwise = node("Relu", {"x"}, {"r"}) + value(12, "r");
  const auto choice = node("If", {"c"}, {"y"},
                           attribute("then_branch", field(6, normalized + value(12, "z")), 5) +
                               attribute("else_branch", field(6, otherwise), 5));
  const auto network =
      imported(model(floats("g", {2}, {1, 1}) + floats("b", {2}, {0, 0}) + floats("m", {2}, {1, 2}) +
                     floats("v", {2}, {4, 4}) + value(11, "x") + value(11, "c") + choice + value(12, "y")));
  const TensorLayer x(Tensor<float>({2, 2}, {3, 5, 5, 9})), yes(Tensor<float>::scalar(1));
  train(sum(network.all({x, yes})[0])).blockingAwait();
  const auto average = std::get<RunningAverage<Tensor<float>>>(network.weights()["m"]);
  CHECK(average.data() == Tensor<float>({2}, {2.5F, 4.5F}));
}

TEST_CASE("whole numbers that floats would compute otherwise are refused") {
  const auto two = whole("a", {2}, {5, -5}) + whole("b", {}, {2});
  CHECK(problem(model(two + node("Div", {"a", "b"}, {"y"}) + value(12, "y"))) ==
        "node \"n\" (Div): whole numbers cannot be divided, got INT64 or INT32, expected numbers (a Cast "
        "before)");
  CHECK(problem(model(two + node("ReduceMean", {"a"}, {"y"}) + value(12, "y"))) ==
        "node \"n\" (ReduceMean): whole numbers cannot be reduced, got INT64 or INT32, expected numbers (a "
        "Cast before)");
  const auto equal = [](std::int64_t a) {
    return problem(model(whole("a", {}, {a}) + whole("b", {}, {16777216}) + node("Equal", {"a", "b"}, {"y"}) +
                         value(12, "y")));
  };
  CHECK(equal(16777216) == "none");
  CHECK(equal(16777217) ==
        "node \"n\" (Equal): too large a number to compare, got 16777217, expected whole numbers up to "
        "16777216");
}

TEST_CASE("an axis that Unsqueeze names twice is refused") {
  const auto unsqueezed = [](const std::vector<std::int64_t>& axes) {
    return problem(model(floats("x", {2}, {1, 2}) + whole("axes", {2}, axes) +
                         node("Unsqueeze", {"x", "axes"}, {"y"}) + value(12, "y")));
  };
  CHECK(unsqueezed({0, 2}) == "none");
  const std::string twice =
      "node \"n\" (Unsqueeze): an axis occurs twice, got 2 axes for 1 places, expected each axis once";
  CHECK(unsqueezed({0, 0}) == twice);
  CHECK(unsqueezed({1, -2}) == twice);
}

TEST_CASE("the denotation of a value's type is not read") {
  const auto image = field(11, field(1, "x") + field(2, field(1, field(1, '\1')) + field(6, "IMAGE")));
  CHECK(problem(model(image + node("Relu") + value(12, "y"))) == "none");
}

TEST_CASE("further outputs of an operation are left out as far as nothing uses them") {
  const auto x = value(11, "x"), y = value(12, "y");
  CHECK(problem(model(x + node("Dropout", {"x"}, {"y", "mask"}) + y)) == "none");
  CHECK(problem(model(x + node("Dropout", {"x"}, {"y", ""}) + y)) == "none");
  CHECK(problem(model(x + floats("g", {2}, {1, 1}) +
                      node("LayerNormalization", {"x", "g"}, {"y", "mean", "inverse"}) + y)) == "none");
  CHECK(
      problem(model(x + node("Dropout", {"x"}, {"a", "mask"}) + node("Add", {"a", "mask"}, {"y"}) + y)) ==
      "node \"n\" (Add): input 1 is not computed, got \"mask\", a further output of a node before, expected "
      "one that the library has");
  CHECK(problem(model(x + node("Dropout", {"x"}, {"a", "y"}) + y)) ==
        "output \"y\" is not computed, got a further output of a node, expected one that the library has");
}

TEST_CASE("a constant of another type of numbers stays a constant behind its Cast") {
  const auto half = attribute("value", field(5, tensor("", {}, std::vector<double>{0.5}, 11)), 4);
  const auto network = imported(model(value(11, "x") + node("Constant", {}, {"c"}, half) +
                                      node("Cast", {"c"}, {"l"}, attribute("to", field(3, '\1'), 2)) +
                                      node("Clip", {"x", "l"}, {"y"}) + value(12, "y")));
  CHECK(predict(network(Tensor<float>({2}, {0, 1}))).blockingAwait() == Tensor<float>({2}, {0.5F, 1}));
}

TEST_CASE("an output of known whole numbers has these as numbers") {
  const auto network = imported(model(whole("w", {2}, {1, -2}) + value(12, "w")));
  CHECK(predict(network.all({})[0]).blockingAwait() == Tensor<float>({2}, {1, -2}));
}

TEST_CASE("a small file that asks for large tensors takes no memory before a pass") {
  const auto numbers = [](const std::string& name, const std::vector<char>& all) {
    std::string values;
    for (const char each : all) values += field(8, each);
    return attribute(name, values, 7);
  };
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // in KiB
  };
  std::string nodes = whole("i", {1}, {1}) + whole("depth", {}, {1 << 24}) + floats("v", {2}, {0, 1});
  for (int i = 0; i < 12; ++i) nodes += node("OneHot", {"i", "depth", "v"}, {"h" + std::to_string(i)});
  nodes += floats("one", {1, 1, 1, 1}, {1}) + whole("large", {4}, {1, 1, 10'000, 10'000}) +
           node("Expand", {"one", "large"}, {"e"}) +
           node("AveragePool", {"e"}, {"p"}, numbers("kernel_shape", {3, 3}) + numbers("pads", {1, 1, 1, 1}));
  const auto before = peak();
  static_cast<void>(imported(modelOf(nodes + node("Tanh"))));
  CHECK(peak() - before < 200'000);
}

TEST_CASE("lengths of Split that do not add up to the extent are refused") {
  const TemporaryDirectory directory;
  const auto network =
      importOnnx(directory.write("m.onnx", model(value(11, "x") + whole("s", {2}, {2, 2}) +
                                                 node("Split", {"x", "s"}, {"a", "y"}) + value(12, "y"))));
  CHECK(predict(network(someInput({4}))).blockingAwait().shape() == Shape{2});
  for (const std::size_t extent : {3, 5})
    CHECK(directory.errorOf([&] { static_cast<void>(network(someInput({extent}))); }) ==
          "tapestry::importOnnx: m.onnx: node \"n\" (Split): the lengths do not fit the extent, got 4 "
          "together, expected " +
              std::to_string(extent));
}

TEST_CASE("a file that is no model, or a model of another version, is an error") {
  CHECK(problem("") == "no ONNX model, got a message without a graph, expected one");
  CHECK(problem("no model") ==
        "byte 0, in the model: no field, got the tag 110, expected the tag of a field");
  CHECK(problem(model("", 9)) == "another version of the operations, got opset 9, expected 11 to 20");
  CHECK(problem(field(7, std::string("\x0a\x05"
                                     "ab",
                                     4))) ==
        "byte 2, in the graph: truncated, got 2 bytes for a value, expected 5");
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { (void)importOnnx(directory / "m.onnx"); }) ==
        "tapestry::importOnnx: m.onnx: no such file, expected a readable file");
}

TEST_CASE("a tensor that does not fit its shape is named") {
  const auto tensor = [](const std::string& fields) {
    return problem(model(field(5, field(8, "w") + fields) + value(12, "w")));
  };
  CHECK(tensor(field(1, '\2') + field(2, '\1') + field(9, std::string(8, '\0'))) == "none");
  CHECK(
      tensor(field(1, '\2') + field(2, '\1') + field(9, std::string(7, '\0')))
          .find(
              "in an initializer: tensor \"w\": wrong number of bytes, got 7, expected 8 for [2] of FLOAT") !=
      std::string::npos);
  CHECK(tensor(field(1, '\2') + field(2, '\1') + field(4, std::string(4, '\0')))
            .find("wrong number of values, got 1, expected 2 for [2] of FLOAT") != std::string::npos);
  CHECK(tensor(field(2, '\x08')).find("values of an unknown type, got type 8, expected FLOAT, ") !=
        std::string::npos);
}

TEST_CASE("labels of a loss may be an input, and the loss is trained") {
  const TemporaryDirectory directory;
  const auto loss = node("SoftmaxCrossEntropyLoss", {"x", "t"}, {"y"});
  const auto network = importOnnx(
      directory.write("m.onnx", model(loss + value(11, "x") + value(11, "t", 7) + value(12, "y"))));
  const TensorWeight w(someInput({2, 3}), sgd(0.5)), same(someInput({2, 3}), sgd(0.5));
  const auto lossOf = [&](const Indices& labels) { return network.all({detail::layerOf(w), labels})[0]; };
  for (int step = 0; step < 2; ++step) {
    train(sum(lossOf({2, 0}))).blockingAwait();
    train(softmaxCrossEntropy(same, {2, 0})).blockingAwait();
  }
  for (std::size_t i = 0; i < 6; ++i) CHECK(w.data().data()[i] == doctest::Approx(same.data().data()[i]));
  CHECK(directory.errorOf([&] {
    predict(lossOf({3, 0})).blockingAwait();
  }) == "tapestry::importOnnx: m.onnx: node \"n\" (SoftmaxCrossEntropyLoss): no class, got the label 3, "
        "expected one of 3 classes");
  CHECK(directory.errorOf([&] { predict(lossOf({1})).blockingAwait(); }) ==
        "tapestry::importOnnx: m.onnx: node \"n\" (SoftmaxCrossEntropyLoss): labels of another shape, got "
        "[1], expected [2]");
}

TEST_CASE("values in a file beside the model are read, from nowhere else and no more than there are") {
  const TemporaryDirectory directory, elsewhere;
  directory.write("w.bin", std::string("....\0\0\x80\x3f\0\0\0\x40", 12));
  elsewhere.write("w.bin", std::string(12, '\0'));
  std::filesystem::create_symlink(elsewhere / "w.bin", directory / "out.bin");
  const auto entry = [](const std::string& key, const std::string& text) {
    return field(13, field(1, key) + field(2, text));
  };
  const auto tensor = [&](const std::string& name, const std::string& file, const std::string& offset,
                          const std::string& length) {
    return field(5, field(1, '\2') + field(2, '\1') + field(8, name) + entry("location", file) +
                        entry("offset", offset) + (length.empty() ? "" : entry("length", length)) +
                        field(14, '\1'));
  };
  const auto read = [&](const std::string& tensors) {
    directory.write("m.onnx", model(tensors + value(12, "w")));
    return directory.errorOf([&] { (void)importOnnx(directory / "m.onnx"); });
  };
  REQUIRE(read(tensor("w", "w.bin", "4", "")) == "none");
  CHECK(predict(importOnnx(directory / "m.onnx").all({})[0]).blockingAwait() == Tensor<float>({2}, {1, 2}));
  CHECK(read(tensor("w", "w.bin", "4", "8") + tensor("v", "w.bin", "0", "8")) ==
        "tapestry::importOnnx: w.bin: tensors of the model share bytes, got 8 and 8 bytes of them, expected "
        "together at most 12");
  CHECK(read(tensor("w", "none.bin", "0", "8")) ==
        "tapestry::importOnnx: none.bin: no such file, expected a readable file");
  CHECK(read(tensor("w", "w.bin", "8", "8")) ==
        "tapestry::importOnnx: w.bin: truncated, got 12 bytes, expected at least 16");
  CHECK(read(tensor("w", "w.bin", "4", "4"))
            .find("wrong number of bytes, got 4, expected 8 for [2] of FLOAT") != std::string::npos);
  CHECK(read(tensor("w", "w.bin", "-4", "8")).find("the offset in another file is no number, got \"-4\"") !=
        std::string::npos);
  const auto name = "../" + elsewhere.path().filename().string() + "/w.bin";
  for (const auto& file : {name, (elsewhere / "w.bin").string(), std::string("out.bin"), std::string()})
    CHECK(read(tensor("w", file, "0", "8"))
              .starts_with("tapestry::importOnnx: m.onnx: the values of a tensor are out of reach, got the "
                           "file \"" +
                           file.substr(0, 20)));
}

TEST_CASE("a file that is truncated, at any byte, is refused with a FileError") {
  const TemporaryDirectory directory;
  const auto whole = someFile();
  std::size_t read = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      (void)importOnnx(directory.write("m.onnx", whole.substr(0, size)));
      ++read;
    } catch (const FileError&) {
    }
  }
  CHECK(read == 0);  // the version of the operations comes last
}

TEST_CASE("a file with any one byte changed is read or refused with a FileError") {
  const TemporaryDirectory directory;
  const auto whole = someFile();
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char change : {'\x01', '\x10', '\x80'}) {
      auto damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      try {
        (void)importOnnx(directory.write("m.onnx", damaged));
      } catch (const FileError&) {
        ++refused;
      }
    }
  CHECK(refused > 500);
}

TEST_CASE("a network with an If, also within a branch, is written again with its choices") {
  const TemporaryDirectory directory;
  const TensorLayer x(someInput({2})), twice = x * 2;
  const OnnxChoice inner(x(0) > 0.0F, exp(twice), twice - 1);
  const OnnxChoice outer(sum(x) > 0.0, relu(inner.layer()) + 3, twice);
  exportOnnx(outer.layer() + x, {{"x", x}}, directory / "m.onnx", {.choices = {inner, outer}});
  const auto network = importOnnx(directory / "m.onnx");
  CHECK(directory.errorOf([&] {
                   exportOnnx(network(x), {{"x", x}}, directory / "again.onnx");
                 })
            .starts_with("tapestry::exportOnnx: a layer that is made while a pass runs cannot be written, "));
  const auto layers = network.layers({x});
  REQUIRE(layers.outputs.size() == 1);
  CHECK(layers.choices.size() == 2);
  exportOnnx(layers.outputs[0], {{"x", x}}, directory / "again.onnx", {.choices = layers.choices});
  const auto again = importOnnx(directory / "again.onnx");
  for (const float first : {-1.0F, 0.25F, 1.0F})
    for (const float second : {-0.5F, 0.5F}) {
      const Tensor<float> v({2}, {first, second});
      CHECK(predict(again(v)).blockingAwait() == predict(network(v)).blockingAwait());
    }
  CHECK(directory.errorOf([&] { static_cast<void>(network.layers({})); }) ==
        "tapestry::OnnxNetwork: another number of inputs, got 0, expected 1");
}

TEST_CASE("importOnnx and its networks refuse arguments of other types") {
  static_assert(TAPESTRY_CALLABLE(importOnnx, std::filesystem::path));
  static_assert(TAPESTRY_CALLABLE(importOnnx, std::string));
  static_assert(!TAPESTRY_CALLABLE(importOnnx, Nothing));
  static_assert(!TAPESTRY_CALLABLE(importOnnx, int));
  using Network = const OnnxNetwork&;
  static_assert(std::invocable<Network, TensorLayer> && std::invocable<Network, TensorWeight> &&
                std::invocable<Network, Tensor<float>>);
  static_assert(!std::invocable<Network, Tensor<double>> && !std::invocable<Network, DoubleTensorLayer>);
  static_assert(!std::invocable<Network, double> && !std::invocable<Network, DoubleLayer>);
  static_assert(!std::invocable<Network, Indices> && !std::invocable<Network, Nothing>);
  static_assert(!std::invocable<Network> && !std::invocable<Network, TensorLayer, TensorLayer>);
  static_assert(TAPESTRY_MEMBER_CALLABLE(all, Network, std::vector<OnnxValue>));
  static_assert(!TAPESTRY_MEMBER_CALLABLE(all, Network, TensorLayer));
  static_assert(TAPESTRY_MEMBER_CALLABLE(layers, Network, std::vector<OnnxValue>));
  static_assert(!TAPESTRY_MEMBER_CALLABLE(layers, Network, TensorLayer));
}
