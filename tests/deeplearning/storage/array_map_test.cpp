#include <tapestry/deeplearning/storage/array_map.hpp>

#include <doctest/doctest.h>

#include "support/temporary_directory.hpp"
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

TEST_CASE("a map that does not fit the file or the model is told, and sets nothing") {
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

TEST_CASE("a weight that two parts of a map make is refused") {
  CHECK_THROWS_WITH_AS((ArrayMap{pytorch::linear("a", "b"), {"a.bias", "c"}}),
                       "tapestry::ArrayMap: a weight occurs twice, got \"a.bias\", expected each once",
                       std::invalid_argument);
}
