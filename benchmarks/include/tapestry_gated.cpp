// The paper's gated network, and a step of it: what include_net_torch compiles.
#include <tapestry/deeplearning.hpp>

#include <cstdio>

using namespace tapestry;

struct GatedNetwork {
  explicit GatedNetwork(Generator generator)
      : gate{{784, 1, generator}, {784, 1, generator}},
        experts{{{784, 64, generator}, {64, 10, generator}}, {{784, 64, generator}, {64, 10, generator}}} {}

  TensorLayer logits(const Tensor<float>& image) const {
    const DoubleLayer left = sigmoid(sum(gate[0](image))), right = sigmoid(sum(gate[1](image)));
    return TensorLayer(tuple2(parallel(forward(left)), parallel(forward(right)))
                           .flatMap([this, image, left, right](const auto& scores) {
                             const bool first = std::get<0>(scores).data > std::get<1>(scores).data;
                             return forward((first ? left : right) * experts[first ? 0 : 1](image));
                           }));
  }

  struct Expert {
    Dense<> first, second;
    TensorLayer operator()(const Tensor<float>& image) const { return second(relu(first(image))); }
  };

  Dense<> gate[2];
  Expert experts[2];
};

int main() {
  const GatedNetwork network(Generator(1));
  const auto loss = softmaxCrossEntropy(network.logits(Tensor<float>::full({784}, 0.5F)), 3);
  std::printf("%f\n", train(loss).blockingAwait());
}
