// Exported networks in numpy: also those that OpenCV cannot run.
#include <doctest/doctest.h>

#include "onnx/networks.hpp"
#include "onnx/python3_onnx.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/onnx/export_onnx.hpp"
#include "tapestry/tensor/storage/npy.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::test;

/// Writes NAME.onnx, and what goes in and what comes out.
void writeCase(const TemporaryDirectory& directory, const std::string& name, const TensorLayer& y,
               const TensorLayer& x, const OnnxExportOptions& options = {}) {
  exportOnnx(y, {{"x", x}}, directory / (name + ".onnx"), options);
  saveNpy(directory / (name + ".x.npy"), predict(x).blockingAwait());
  saveNpy(directory / (name + ".y.npy"), predict(y).blockingAwait());
}

}  // namespace

TEST_CASE("an evaluator in numpy runs all exported networks with results within 1e-5") {
  const TemporaryDirectory directory;
  for (std::size_t i = 0; const auto& network : someNetworks()) {
    const TensorLayer x(someInput(network.input));
    writeCase(directory, std::to_string(i++), network.build(x), x);
  }
  for (const float second : {-1.0F, 1.0F}) {
    const TensorLayer x(Tensor<float>({2}, {0.5F, second}));
    const OnnxChoice choice(sum(x) > 0.0, exp(x), x * 2 - 1);
    writeCase(directory, second > 0 ? "then" : "else", choice.layer() + 1, x, {.choices = {choice}});
  }
  const auto all = std::to_string(someNetworks().size() + 2);
  python3Onnx(directory, "import evaluate\nassert evaluate.check() == " + all + "\nprint('all right')\n");
}
