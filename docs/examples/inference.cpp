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

  // [predict]
  const Predictor predictor;
  load(path, predictor, {.optimizers = false});
  std::printf("%g\n", predict(predictor(2)).blockingAwait());  // 5
  // [/predict]
  std::filesystem::remove(path);
}
