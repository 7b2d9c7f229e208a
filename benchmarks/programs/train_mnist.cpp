// Trains a network of 784-256-100-10 on digits for an epoch, and prints a loss: of memory_mnist_torch.
#include <cstdio>

#include "libtorch/sides.hpp"
#include "ours/sides.hpp"

int main() {
  using namespace tapestry::benchmarks;
  const MnistWork work(64, MnistWork::Batches::made);
#if TAPESTRY_WITH_LIBTORCH
  const Side side = libtorch::mnist(work, 1);
#else
  const Side side = oursOnMnist(work, 1);
#endif
  side.reset();
  std::printf("%.6f\n", side.run());
}
