#include "libtorch/sides.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "libtorch/tensors.hpp"
#include "work/digits.hpp"

namespace tapestry::benchmarks::libtorch {

namespace {

using namespace ::torch;
using Values = std::vector<::torch::Tensor>;

struct Expert : nn::Module {
  Expert() {
    register_module("first", first);
    register_module("second", second);
  }
  ::torch::Tensor forward(const ::torch::Tensor& image) { return second(::torch::relu(first(image))); }

  nn::Linear first{784, 64}, second{64, 10};
};

struct Network : nn::Module {
  Network() {
    for (std::size_t i = 0; i < 2; ++i) register_module("gate" + std::to_string(i), gate[i]);
    for (std::size_t i = 0; i < 2; ++i) register_module("expert" + std::to_string(i), experts[i]);
  }

  /// The expert with the higher score alone, times that score.
  ::torch::Tensor logits(const ::torch::Tensor& image) {
    const auto left = ::torch::sigmoid(gate[0](image)), right = ::torch::sigmoid(gate[1](image));
    const bool first = left.item<float>() > right.item<float>();
    return first ? left * experts[0]->forward(image) : right * experts[1]->forward(image);
  }

  nn::Linear gate[2] = {nn::Linear(784, 1), nn::Linear(784, 1)};
  std::shared_ptr<Expert> experts[2] = {std::make_shared<Expert>(), std::make_shared<Expert>()};
};

optim::Adam optimizerOf(const Network& network) {
  Values gates, experts;
  for (const auto& gate : network.gate)
    for (const auto& parameter : gate->parameters()) gates.push_back(parameter);
  for (const auto& expert : network.experts)
    for (const auto& parameter : expert->parameters()) experts.push_back(parameter);
  const auto rate = [](double value) { return std::make_unique<optim::AdamOptions>(value); };
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(gates, rate(GatedWork::learningRate / 20));
  groups.emplace_back(experts, rate(GatedWork::learningRate));
  return optim::Adam(groups, optim::AdamOptions(GatedWork::learningRate));
}

/// As rows, which are multiplied in one operation with the bias.
Values imagesOf(const GatedWork& work) {
  Values images;
  for (const auto& pixels : work.pixels) images.push_back(view(pixels).unsqueeze(0));
  return images;
}

}  // namespace

Side digits(const GatedWork& work, unsigned threads) {
  const auto network = std::make_shared<Network>();
  Values labels;
  for (const auto label : work.labels) labels.push_back(labelsOf({label}));
  return {.reset = [network, &work] { setParameters(*network, work.weights); },
          .run =
              [=, images = imagesOf(work)] {
                const Threads scope(threads);
                auto optimizer = optimizerOf(*network);
                std::vector<double> losses;
                for (std::size_t begin = 0; begin < images.size(); begin += GatedWork::batchSize) {
                  Values own;
                  for (std::size_t i = begin; i < std::min(begin + GatedWork::batchSize, images.size()); ++i)
                    own.push_back(nn::functional::cross_entropy(network->logits(images[i]), labels[i]));
                  forgetGradients(*network);
                  const auto loss = ::torch::stack(own).mean();
                  loss.backward();
                  optimizer.step();
                  losses.push_back(loss.item<double>());
                }
                return resultOf(losses);
              }};
}

Side predictions(const GatedWork& work, unsigned threads) {
  const auto network = std::make_shared<Network>();
  setParameters(*network, work.weights);
  return {.reset = [] {},
          .run =
              [=, images = imagesOf(work), labels = work.labels] {
                const Threads scope(threads);
                const c10::InferenceMode inference;
                double sum = 0;
                for (std::size_t i = 0; i < GatedWork::predicted; ++i)
                  sum += network->logits(images[i]).data_ptr<float>()[labels[i]];
                return sum;
              }};
}

}  // namespace tapestry::benchmarks::libtorch
