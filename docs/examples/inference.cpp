// The steps of the tutorial on a program that only predicts.
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

#include <unistd.h>

using namespace tapestry;

// [model]
struct Predictor {
  DoubleWeight slope{0};
  DoubleWeight offset{0};
  Weights weights() const { return {{"slope", slope}, {"offset", offset}}; }

  DoubleLayer operator()(double x) const { return slope * x + offset; }
};
// [/model]

// [predict]
/// Loads the model, and predicts y at x.
double predictedAt(double x, const std::filesystem::path& path) {
  const Predictor predictor;
  load(path, predictor, {.optimizers = false});
  return predict(predictor(x)).blockingAwait();
}
// [/predict]

/// What another program has trained with Adam, and saved.
void saveTrained(const std::filesystem::path& path) {
  const DoubleWeight slope(3, adam({}));
  const DoubleWeight offset(-1, adam({}));
  save(path, Weights{{"slope", slope}, {"offset", offset}});
}

int main() {
  const auto directory = std::filesystem::temp_directory_path();
  const auto path = directory / ("tapestry-inference-" + std::to_string(::getpid()) + ".safetensors");
  saveTrained(path);

  std::printf("%g\n", predictedAt(2, path));  // 5
  std::filesystem::remove(path);
}
