// Differentiates a chain of so many links, and prints the bytes that its pass made resident for each of the
// two operations of a link: of growth_pass_memory.
#include <sys/resource.h>
#include <unistd.h>
#include <tapestry/deeplearning.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

double residentBytes() {
  std::ifstream pages("/proc/self/statm");
  double all = 0, resident = 0;
  pages >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double mostResidentBytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

int main(int, char** argv) {
  using namespace tapestry;
  const int links = std::atoi(argv[1]);
  const TensorWeight w(Tensor<float>::full({64}, 0.5F));
  TensorLayer x(Tensor<float>::full({64}, 0.5F));
  const auto firstLoss = gradients(sum(tanh(x * w))).blockingAwait().loss;  // what any first pass loads
  for (int i = 0; i < links; ++i) x = tanh(x * w);
  const double before = residentBytes();
  const auto loss = gradients(sum(x)).blockingAwait().loss;
  if (loss >= firstLoss) return 1;
  std::printf("%.2f\n", (mostResidentBytes() - before) / (2.0 * links));
}
