// The same network and step in libtorch: what include_net_torch compares with.
#include <torch/torch.h>

#include <cstdio>
#include <string>

struct ExpertImpl : torch::nn::Module {
  ExpertImpl() {
    register_module("first", first);
    register_module("second", second);
  }
  torch::Tensor forward(torch::Tensor image) { return second(torch::relu(first(image))); }

  torch::nn::Linear first{784, 64}, second{64, 10};
};
TORCH_MODULE(Expert);

struct GatedNetwork : torch::nn::Module {
  GatedNetwork() {
    for (int i = 0; i < 2; ++i) {
      register_module("gate" + std::to_string(i), gate[i]);
      register_module("expert" + std::to_string(i), experts[i]);
    }
  }

  torch::Tensor logits(torch::Tensor image) {
    const auto left = torch::sigmoid(gate[0](image)), right = torch::sigmoid(gate[1](image));
    const bool first = left.item<float>() > right.item<float>();
    return (first ? left : right) * experts[first ? 0 : 1](image);
  }

  torch::nn::Linear gate[2] = {torch::nn::Linear(784, 1), torch::nn::Linear(784, 1)};
  Expert experts[2];
};

int main() {
  GatedNetwork network;
  torch::optim::SGD optimizer(network.parameters(), 0.01);
  const auto loss = torch::nn::functional::cross_entropy(network.logits(torch::full({1, 784}, 0.5)),
                                                         torch::tensor({3}, torch::kLong));
  loss.backward();
  optimizer.step();
  std::printf("%f\n", loss.item<double>());
}
