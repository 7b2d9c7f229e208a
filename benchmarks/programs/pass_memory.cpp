// Differentiates a chain of so many links, and prints the bytes that its pass made resident for each of the
// two operations of a link: of growth_pass_memory.
#include <tapestry/deeplearning.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace {

/// An entry of the kernel's account of this program, such as VmRSS. Unlike getrusage's it does not know what
/// started the program.
double bytesOf(const std::string& entry) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kilobytes = 0; word == entry + ":" && status >> kilobytes) return 1024 * kilobytes;
  std::exit(1);
}

}  // namespace

int main(int, char** argv) {
  using namespace tapestry;
  const int links = std::atoi(argv[1]);
  const TensorWeight w(Tensor<float>::full({64}, 0.5F));
  TensorLayer x(Tensor<float>::full({64}, 0.5F));
  const auto firstLoss = gradients(sum(tanh(x * w))).blockingAwait().loss;  // what any first pass loads
  for (int i = 0; i < links; ++i) x = tanh(x * w);
  const double before = bytesOf("VmRSS");
  const auto loss = gradients(sum(x)).blockingAwait().loss;
  if (loss >= firstLoss) return 1;
  std::printf("%.2f\n", (bytesOf("VmHWM") - before) / (2.0 * links));
}
