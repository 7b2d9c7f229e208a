#include <tapestry/deeplearning/storage/array_map.hpp>

#include <doctest/doctest.h>

#include "support/system/temporary_directory.hpp"
#include "tapestry/deeplearning/layers/batch_norm.hpp"
#include "tapestry/deeplearning/layers/conv2d.hpp"
#include "tapestry/deeplearning/layers/dense.hpp"
#include "tapestry/deeplearning/layers/embedding.hpp"
#include "tapestry/deeplearning/layers/gru.hpp"
#include "tapestry/deeplearning/layers/layer_norm.hpp"
#include "tapestry/deeplearning/layers/lstm.hpp"
#include "tapestry/deeplearning/layers/multi_head_attention.hpp"
#include "tapestry/deeplearning/layers/sequential.hpp"
#include "tapestry/deeplearning/operations/activation/tanh.hpp"
#include "tapestry/deeplearning/operations/layout/concat.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/deeplearning/storage/load.hpp"
#include "tapestry/deeplearning/storage/safetensors.hpp"

namespace {

using namespace tapestry;
using tapestry::test::TemporaryDirectory;

/// The values by which a script for PyTorch 1.13 filled the same modules.
Tensor<float> filled(const Shape& shape, std::size_t seed, double base = 0) {
  auto tensor = Tensor<float>::uninitialized(shape);
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.exclusiveData()[i] =
        static_cast<float>(static_cast<double>((i * 37 + seed) % 101) / 101 - 0.5 + base);
  return tensor;
}

/// A state_dict as PyTorch's users save it, with its arrays filled in their order.
NamedArrays stateDict(const std::vector<std::pair<std::string, Shape>>& arrays) {
  NamedArrays file{{}, {{"format", "pt"}}};
  for (std::size_t seed = 1; const auto& [name, shape] : arrays)
    file.arrays.emplace(name, filled(shape, seed++, name.ends_with("running_var") ? 1 : 0));
  return file;
}

template <class Model>
void loadFrom(const NamedArrays& file, const Model& model, const ArrayMap& map) {
  const TemporaryDirectory directory;
  saveSafetensors(directory / "model.safetensors", file);
  load(directory / "model.safetensors", model, map);
}

void checkClose(const Tensor<float>& got, const std::vector<float>& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(got.data()[i] == doctest::Approx(expected[i]).epsilon(1e-5));
}

Generator generator(7);

/// The message of loading a Dense<>(3, 2) from the arrays.
std::string problem(const NamedArrays& file, const ArrayMap& map) {
  const TemporaryDirectory directory;
  const Dense<> model(3, 2, generator);
  const auto before = model.weight.data();
  saveSafetensors(directory / "m", file);
  auto text = directory.errorOf([&] { load(directory / "m", model, map); });
  CHECK((text == "none" || model.weight.data() == before));
  return text;
}

const TensorLayer& hiddenOf(const Lstm<>::State& state) { return state.hidden; }
const TensorLayer& hiddenOf(const TensorLayer& state) { return state; }

/// A recurrent module of two layers that is bidirectional, for 3 inputs and 2 units.
template <class Cell>
struct BothWays {
  Cell there0{3, 2, generator}, back0{3, 2, generator}, there1{4, 2, generator}, back1{4, 2, generator};

  /// The outputs of the two steps, one below the other.
  TensorLayer operator()(const std::vector<TensorLayer>& xs) const {
    return concat(step(there1, back1, step(there0, back0, xs)), 0);
  }
  Weights weights() const {
    return {{"there0", there0}, {"back0", back0}, {"there1", there1}, {"back1", back1}};
  }
  /// The names of PyTorch's arrays with their shapes, for a cell whose gates together have so many numbers.
  static std::vector<std::pair<std::string, Shape>> arrays(std::size_t gates, bool biases) {
    std::vector<std::pair<std::string, Shape>> all;
    for (const char* part : {"l0", "l0_reverse", "l1", "l1_reverse"}) {
      const std::string of = part;
      all.push_back({"weight_ih_" + of, {gates, of.starts_with("l0") ? 3U : 4U}});
      all.push_back({"weight_hh_" + of, {gates, 2}});
      for (const char* bias : {"bias_ih_", "bias_hh_"})
        if (biases) all.push_back({bias + of, {gates}});
    }
    return all;
  }

 private:
  static std::vector<TensorLayer> step(const Cell& there, const Cell& back,
                                       const std::vector<TensorLayer>& xs) {
    const auto first = there(xs, there.initial(1));
    const auto second = back(std::vector(xs.rbegin(), xs.rend()), back.initial(1));
    std::vector<TensorLayer> joined;
    for (std::size_t t = 0; t < xs.size(); ++t)
      joined.push_back(concat(std::vector{hiddenOf(first[t]), hiddenOf(second[xs.size() - 1 - t])}, 1));
    return joined;
  }
};

std::vector<TensorLayer> twoSteps() {
  const auto x = filled({2, 1, 3}, 50);
  std::vector<TensorLayer> xs;
  for (std::size_t t = 0; t < 2; ++t) xs.emplace_back(Tensor<float>({1, 3}, x.values().subspan(t * 3, 3)));
  return xs;
}

}  // namespace

TEST_CASE("a network of PyTorch's Linear gives PyTorch's results") {
  const auto model = sequential(Dense<>(3, 4, generator), operations::tanh, Dense<>(4, 2, generator));
  const auto file = stateDict({{"0.weight", {4, 3}}, {"0.bias", {4}}, {"2.weight", {2, 4}}, {"2.bias", {2}}});
  loadFrom(file, model, {pytorch::linear("0", "0"), pytorch::linear("2", "2")});
  checkClose(predict(model(filled({2, 3}, 50))).blockingAwait(),
             {-0.077432871f, -0.22884706f, -0.042022765f, -0.24135397f});
}

TEST_CASE("LSTM and GRU of PyTorch give PyTorch's states") {
  const auto x = filled({2, 1, 3}, 50);
  std::vector<Tensor<float>> xs;
  for (std::size_t t = 0; t < 2; ++t) xs.emplace_back(Shape{1, 3}, x.values().subspan(t * 3, 3));
  const Lstm<> lstm(3, 2, generator);
  loadFrom(stateDict({{"rnn.weight_ih_l0", {8, 3}},
                      {"rnn.weight_hh_l0", {8, 2}},
                      {"rnn.bias_ih_l0", {8}},
                      {"rnn.bias_hh_l0", {8}}}),
           lstm, pytorch::lstm("", "rnn"));
  const auto last = lstm(xs, lstm.initial(1)).back();
  checkClose(predict(last.hidden).blockingAwait(), {0.031449128f, 0.19365257f});
  checkClose(predict(last.cell).blockingAwait(), {0.071463451f, 0.40306279f});
  const Gru<> gru(3, 2, generator);
  loadFrom(
      stateDict(
          {{"weight_ih_l0", {6, 3}}, {"weight_hh_l0", {6, 2}}, {"bias_ih_l0", {6}}, {"bias_hh_l0", {6}}}),
      gru, pytorch::gru("", ""));
  checkClose(predict(gru(xs, gru.initial(1)).back()).blockingAwait(), {0.10660391f, 0.51157182f});
}

TEST_CASE(
    "layers and directions of PyTorch's LSTM and GRU, without biases and with, give PyTorch's outputs") {
  using pytorch::Bias;
  const BothWays<Lstm<>> lstm;
  loadFrom(stateDict(lstm.arrays(8, false)), lstm,
           {pytorch::lstm("there0", "", {.bias = Bias::none}),
            pytorch::lstm("back0", "", {.reverse = true, .bias = Bias::none}),
            pytorch::lstm("there1", "", {.layer = 1, .bias = Bias::none}),
            pytorch::lstm("back1", "", {.layer = 1, .reverse = true, .bias = Bias::none})});
  checkClose(predict(lstm(twoSteps())).blockingAwait(),
             {-0.00289593241f, -0.0067078541f, -0.00128263561f, -0.00635864073f, -0.00177289464f,
              -0.00615500519f, 0.000960877631f, -0.00213490124f});
  const BothWays<Gru<>> gru;
  loadFrom(stateDict(gru.arrays(6, false)), gru,
           {pytorch::gru("there0", "", {.bias = Bias::none}),
            pytorch::gru("back0", "", {.reverse = true, .bias = Bias::none}),
            pytorch::gru("there1", "", {.layer = 1, .bias = Bias::none}),
            pytorch::gru("back1", "", {.layer = 1, .reverse = true, .bias = Bias::none})});
  checkClose(predict(gru(twoSteps())).blockingAwait(),
             {-0.0134465387f, -0.0271779019f, -0.00854851026f, -0.0247481205f, -0.0115139382f, -0.022969678f,
              0.000741508615f, -0.00655090436f});
  loadFrom(
      stateDict(gru.arrays(6, true)), gru,
      {pytorch::gru("there0", ""), pytorch::gru("back0", "", {.reverse = true}),
       pytorch::gru("there1", "", {.layer = 1}), pytorch::gru("back1", "", {.layer = 1, .reverse = true})});
  checkClose(predict(gru(twoSteps())).blockingAwait(),
             {-0.0611765236f, 0.385216892f, -0.0263368897f, 0.546076596f, -0.0829830542f, 0.513191462f,
              -0.00805697124f, 0.411093712f});
}

TEST_CASE("multi-head attention of PyTorch without biases gives PyTorch's result") {
  const MultiHeadAttention<> attention({.width = 4, .heads = 2}, generator);
  loadFrom(stateDict({{"in_proj_weight", {12, 4}}, {"out_proj.weight", {4, 4}}}), attention,
           pytorch::multiHeadAttention("", "", pytorch::Bias::none));
  checkClose(
      predict(attention(filled({1, 3, 4}, 50))).blockingAwait(),
      {0.0496945456f, -0.00939878076f, 0.00157209835f, 0.0098306844f, 0.0471694767f, -0.00919460692f,
       0.00126747543f, 0.00895463396f, 0.0495869033f, -0.00931585208f, 0.00164839695f, 0.00989783276f});
}

TEST_CASE("normalizations of PyTorch without gain and bias give PyTorch's results, after others, too") {
  const BatchNorm<> batch(2);
  loadFrom(stateDict({{"weight", {2}}, {"bias", {2}}, {"running_mean", {2}}, {"running_var", {2}}}), batch,
           pytorch::batchNorm("", ""));
  loadFrom(stateDict({{"running_mean", {2}}, {"running_var", {2}}}), batch,
           pytorch::batchNorm("", "", pytorch::Affine::none));
  checkClose(predict(batch(filled({3, 2}, 50))).blockingAwait(),
             {0.67290163f, 0.515372753f, 0.302119106f, 0.231391832f, 1.31833792f, -0.0525890514f});
  const LayerNorm<> layer(Shape{4});
  loadFrom(stateDict({{"weight", {4}}, {"bias", {4}}}), layer, pytorch::layerNorm("", ""));
  loadFrom({}, layer, pytorch::layerNorm("", "", pytorch::Affine::none));
  checkClose(predict(layer(filled({2, 4}, 50))).blockingAwait(),
             {-0.21830067f, 1.39712417f, -1.39712429f, 0.218300641f, 1.31000924f, -0.532641113f, 0.532641053f,
              -1.31000924f});
  loadFrom(stateDict({{"weight", {4}}}), layer, pytorch::layerNorm("", "", pytorch::Affine::gain));
  CHECK(layer.gain.data() == filled({4}, 1));
  CHECK(layer.bias.data() == Tensor<float>::zeros({4}));
}

TEST_CASE("ones are a value alone, and are added to arrays") {
  const Dense<> model(1, 2, generator);
  const NamedArrays file{{{"w", Tensor<float>({1, 2}, {3, 4})}}, {}};
  loadFrom(file, model, {{"weight", array("w") + FromArrays::ones()}, {"bias", FromArrays::ones()}});
  CHECK(model.weight.data() == Tensor<float>({1, 2}, {4, 5}));
  CHECK(model.bias.data() == Tensor<float>({2}, {1, 1}));
}

TEST_CASE("multi-head attention of PyTorch gives PyTorch's result") {
  const MultiHeadAttention<> attention({.width = 4, .heads = 2}, generator);
  loadFrom(stateDict({{"in_proj_weight", {12, 4}},
                      {"in_proj_bias", {12}},
                      {"out_proj.weight", {4, 4}},
                      {"out_proj.bias", {4}}}),
           attention, pytorch::multiHeadAttention("", ""));
  checkClose(predict(attention(filled({1, 3, 4}, 50))).blockingAwait(),
             {-0.39105752f, -0.26768434f, 0.74307442f, -0.51621366f, -0.39343905f, -0.267362f, 0.74287593f,
              -0.51699322f, -0.39116198f, -0.26759887f, 0.74315363f, -0.51614332f});
}

TEST_CASE("convolution without a bias, normalizations and an embedding of PyTorch give PyTorch's results") {
  const auto images =
      sequential(Conv2d<>({.inputs = 1, .outputs = 2, .kernel = 2}, generator), BatchNorm<>(2));
  auto file = stateDict({{"0.weight", {2, 1, 2, 2}},
                         {"1.weight", {2}},
                         {"1.bias", {2}},
                         {"1.running_mean", {2}},
                         {"1.running_var", {2}}});
  file.arrays.emplace("1.num_batches_tracked", Integers{{}, {3}});
  loadFrom(file, images, {pytorch::conv2d("0", "0", pytorch::Bias::none), pytorch::batchNorm("1", "1")});
  checkClose(predict(images(filled({1, 1, 3, 3}, 50))).blockingAwait(),
             {-0.63927603f, -0.79187149f, -0.84372091f, -0.58583903f, -0.13065185f, -0.085491568f,
              -0.12298322f, -0.12140868f});
  struct Model {
    Embedding<> embedding{5, 4, generator};
    LayerNorm<> norm{Shape{4}};
    Weights weights() const { return {{"embedding", embedding}, {"norm", norm}}; }
  } const words;
  loadFrom(stateDict({{"0.weight", {5, 4}}, {"1.weight", {4}}, {"1.bias", {4}}}), words,
           {pytorch::embedding("embedding", "0"), pytorch::layerNorm("norm", "1")});
  checkClose(predict(words.norm(words.embedding({3, 0}))).blockingAwait(),
             {-0.36546952f, -0.2630389f, -0.090363041f, -0.45450076f, 0.036574144f, -0.13077874f, 0.64780909f,
              -0.10193761f});
}

TEST_CASE("gates in another order are put in ours, and names that are no part of the map stay") {
  const Dense<> model(1, 3, generator);
  const NamedArrays file{
      {{"kernel", Tensor<float>({3, 1}, {1, 2, 3})}, {"bias", Tensor<float>({3}, {4, 5, 6})}}, {}};
  loadFrom(file, model, {"weight", array("kernel").inOrder({2, 0, 1}).transposed()});
  CHECK(model.weight.data() == Tensor<float>({1, 3}, {3, 1, 2}));
  CHECK(model.bias.data() == Tensor<float>({3}, {4, 5, 6}));
}

TEST_CASE("a map that does not fit the file or the model is an error, and sets nothing") {
  const Tensor<float> matrix = filled({2, 3}, 1), vector = filled({2}, 1);
  const NamedArrays file{{{"fc.weight", matrix}, {"fc.bias", vector}}, {}};
  CHECK(problem(file, pytorch::linear("", "fc1")) ==
        "tapestry::load: m: \"weight\" from \"fc1.weight\": no such array, got \"fc.bias\", \"fc.weight\", "
        "expected \"fc1.weight\"");
  CHECK(problem(file, {{"weight", "fc.weight"}, {"bias", "fc.bias"}}) ==
        "tapestry::load: m: \"weight\": another type or shape, got F32 [2, 3], expected F32 [3, 2]");
  CHECK(problem(file, {{"weight", "fc.weight"}, {"bias", array("fc.bias").transposed()}}) ==
        "tapestry::load: m: \"bias\" from \"fc.bias\": no matrix, got [2], expected two axes to exchange");
  CHECK(problem(file, {{"weight", array("fc.weight").part(0, 3)}, {"bias", "fc.bias"}}) ==
        "tapestry::load: m: \"weight\" from \"fc.weight\": no equal parts, got [2, 3], expected a first axis "
        "of 3 of them");
  CHECK(
      problem(file, {{"weight", array("fc.weight") + array("fc.bias")}, {"bias", "fc.bias"}}) ==
      "tapestry::load: m: \"weight\" from \"fc.bias\": the terms differ, got arrays of two types or shapes, "
      "expected one type and shape to add up");
  CHECK(
      problem(file, pytorch::linear("fc", "fc")) ==
      "tapestry::load: the map has a weight that the model does not have, got \"fc.bias\", expected names of "
      "the model");
  NamedArrays surplus = file;
  surplus.arrays.emplace("other", vector);
  CHECK(problem(surplus, pytorch::linear("", "fc")) ==
        "tapestry::load: m: weights that the model does not have, got \"other\", expected none besides the "
        "model's");
  CHECK(problem(surplus, {pytorch::linear("", "fc"), ArrayMap::ignoring("other")}) == "none");
}

TEST_CASE("an array that a map uses is read for the weight of its own name, too") {
  const DoubleWeight encoder(1), decoder(2);
  const NamedArrays file{{{"encoder", Tensor<double>::scalar(5)}}, {}};
  loadFrom(file, Weights{{"encoder", encoder}, {"decoder", decoder}}, ArrayMap("decoder", "encoder"));
  CHECK(encoder.data() == 5);
  CHECK(decoder.data() == 5);
}

TEST_CASE("a weight that two parts of a map make is refused") {
  CHECK_THROWS_WITH_AS((ArrayMap{pytorch::linear("a", "b"), {"a.bias", "c"}}),
                       "tapestry::ArrayMap: a weight occurs twice, got \"a.bias\", expected each once",
                       std::invalid_argument);
}

TEST_CASE("names of arrays appear in messages with printable characters only") {
  const TemporaryDirectory directory;
  const DoubleWeight weight(1);
  const NamedArrays file{{{"x", Tensor<double>::scalar(2)}, {"a\nb", Tensor<double>::scalar(3)}}, {}};
  saveSafetensors(directory / "m", file);
  const auto text = [&](const char* from) {
    return directory.errorOf([&] {
      load(directory / "m", Weights{{"a\nb", weight}}, ArrayMap{"a\nb", from});
    });
  };
  CHECK(
      text("x") ==
      "tapestry::load: m: an array has the name of a weight that the map makes, got \"a?b\", expected it to "
      "be used or ignored");
  CHECK(text("y").find("no such array, got \"a?b\", \"x\", expected \"y\"") != std::string::npos);
}

TEST_CASE("a part that an array does not have is refused where it is named") {
  CHECK_THROWS_WITH_AS(array("x").part(3, 2),
                       "tapestry::FromArrays: no such part, got the number 3, expected less than 2",
                       std::invalid_argument);
  CHECK_THROWS_AS(array("x").part(0, 0), std::invalid_argument);
  CHECK_THROWS_AS(array("x").part(static_cast<std::size_t>(-2), 2), std::invalid_argument);
  CHECK_THROWS_AS(array("x").inOrder({0, 2}), std::invalid_argument);
}
