#include "libtorch/sides.hpp"

#include "libtorch/tensors.hpp"
#include "work/digits.hpp"

namespace tapestry::benchmarks::libtorch {

Side mnist(const MnistWork& work, unsigned threads) {
  using namespace ::torch;
  nn::Sequential network(nn::Linear(784, 256), nn::ReLU(), nn::Linear(256, 100), nn::ReLU(),
                         nn::Linear(100, 10));
  return {.reset = [network, &work] { setParameters(*network, work.weights); },
          .run =
              [network, threads, &work]() mutable {
                const Threads scope(threads);
                optim::Adam optimizer(network->parameters(), optim::AdamOptions(MnistWork::learningRate));
                std::vector<double> losses;
                for (std::size_t i = 0; i < work.size(); ++i) {
                  const auto batch = work.get(i);
                  forgetGradients(*network);
                  const auto loss = nn::functional::cross_entropy(network->forward(view(batch.images)),
                                                                  labelsOf(batch.labels));
                  loss.backward();
                  optimizer.step();
                  losses.push_back(loss.item<double>());
                }
                return resultOf(losses);
              }};
}

}  // namespace tapestry::benchmarks::libtorch
