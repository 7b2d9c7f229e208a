// The steps of the tutorial on data and files.
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

using namespace tapestry;

// [dataset]
struct Point {
  double x, y;
};
struct Line {  // y = 3x - 1
  std::size_t size() const { return 100; }
  Point get(std::size_t index) const {
    const double x = static_cast<double>(index) / 50 - 1;
    return {x, 3 * x - 1};
  }
};
// [/dataset]

// [model]
struct Model {
  DoubleWeight slope = DoubleWeight(0, adam({.learningRate = 0.05}));
  DoubleWeight offset = DoubleWeight(0, adam({.learningRate = 0.05}));
  Weights weights() const { return {{"slope", slope}, {"offset", offset}}; }
};
// [/model]

int main() {
  // [epoch]
  const Batches batches(Line(), {.size = 10, .seed = 7});
  const auto epoch = [&](const Model& model, std::uint64_t number) {
    return prefetchTraverse(batches.epoch(number), [&model](const std::vector<Point>& batch) {
      std::vector<DoubleLayer> losses;
      for (const auto& [x, y] : batch) losses.push_back(mse(model.slope * x + model.offset, y));
      return train(mean(losses));
    });
  };
  // [/epoch]

  // [resume]
  const auto directory = std::filesystem::temp_directory_path();
  const auto path = directory / ("tapestry-resume-" + std::to_string(::getpid()) + ".safetensors");
  ThreadPool pool(1);
  const Model model;
  for (std::uint64_t i = 0; i < 20; ++i) epoch(model, i).blockingAwait(pool);
  save(path, model);
  const Model resumed;  // in another process, another day
  load(path, resumed);
  for (std::uint64_t i = 20; i < 40; ++i) {
    epoch(model, i).blockingAwait(pool);
    epoch(resumed, i).blockingAwait(pool);
  }
  std::printf("%.2f %.2f\n", resumed.slope.data(), resumed.offset.data());
  std::printf("the same: %d\n", std::abs(resumed.slope.data() - model.slope.data()) < 1e-9);
  // [/resume]
  std::filesystem::remove(path);
}
