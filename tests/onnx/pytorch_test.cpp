// Networks that PyTorch exports, in files of tests/onnx/pytorch and in fresh ones.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "support/system/program_output.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/onnx/import_onnx.hpp"
#include "tapestry/tensor/storage/npy.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::test;

const std::filesystem::path keptFiles = TAPESTRY_ONNX_TESTS "/pytorch";

/// Compares the results of importOnnx with the outputs that PyTorch computed.
void compareWithPytorch(const std::filesystem::path& folder, const std::string& name) {
  INFO(name);
  const auto network = importOnnx(folder / (name + ".onnx"));
  std::vector<OnnxValue> inputs;
  for (std::size_t i = 0; i < network.inputs().size(); ++i)
    inputs.emplace_back(TensorLayer(loadNpy<float>(folder / (name + ".input" + std::to_string(i) + ".npy"))));
  const auto outputs = predict(network.all(inputs)).blockingAwait();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto expected = loadNpy<float>(folder / (name + ".output" + std::to_string(i) + ".npy"));
    REQUIRE(outputs[i].shape() == expected.shape());
    for (std::size_t k = 0; k < expected.size(); ++k)
      CHECK(std::abs(outputs[i].data()[k] - expected.data()[k]) <= 1e-5f);
  }
}

void compareAll(const std::filesystem::path& folder) {
  for (const std::string name : {"mlp", "cnn", "lstm_step", "block"}) compareWithPytorch(folder, name);
}

}  // namespace

TEST_CASE("networks that PyTorch 1.13 exported give PyTorch's results") { compareAll(keptFiles); }

TEST_CASE("networks that PyTorch exports now give PyTorch's results") {
  const TemporaryDirectory directory;
  const auto output = python(directory,
                             "try:\n  import torch\nexcept ImportError:\n  print('none')\n  exit()\n"
                             "import sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, '" +
                                 keptFiles.string() + "')\nimport make\nmake.main('.')\n");
  if (output && *output == "none\n") MESSAGE("tapestry test skipped: there is no python3-torch");
  if (output && *output != "none\n") compareAll(directory.path());
}
