// Trains one step, and ends: of program_start.
#include <tapestry/deeplearning.hpp>

#include <cstdio>

int main() {
  using namespace tapestry;
  Generator generator(1);
  const auto network = sequential(Dense<>(64, 64, generator), operations::relu, Dense<>(64, 10, generator));
  const auto loss =
      softmaxCrossEntropy(network(normal({16, 64}, 0, 1, generator)), std::vector<std::uint32_t>(16, 3));
  std::printf("%.6f\n", train(loss).blockingAwait());
}
