// components: continuation tryt resourcet raii tensor deeplearning onnx
#include <tapestry/deeplearning.hpp>
#include <tapestry/onnx.hpp>

#include <filesystem>

using namespace tapestry;

int main(int, char** arguments) {
  const TensorLayer x(Tensor<float>({2}, {1, 2}));
  const auto path = std::filesystem::path(arguments[0]).replace_extension("onnx");
  exportOnnx(x * 2, {{"x", x}}, path);
  const auto y = predict(importOnnx(path)(x)).blockingAwait();
  std::filesystem::remove(path);
  return y == Tensor<float>({2}, {2, 4}) ? 0 : 1;
}
