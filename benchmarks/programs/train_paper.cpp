// Trains the paper's network with one column, skipping, and prints the last loss: of memory_paper_torch.
#include <cstdio>

#include "libtorch/sides.hpp"
#include "ours/sides.hpp"

int main() {
  using namespace tapestry::benchmarks;
  const PaperWork& work = paperWork(1, true);
#if TAPESTRY_WITH_LIBTORCH
  const Side side = libtorch::paper(work, 1);
#else
  const Side side = oursOnPaper(work, 1);
#endif
  side.reset();
  std::printf("%.6f\n", side.run());
}
