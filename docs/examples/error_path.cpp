// The path of an error in a pass.
#include <tapestry/continuation/monad/trace.hpp>
#include <tapestry/deeplearning.hpp>

#include <cstdio>

using namespace tapestry;

int main() {
  const TensorWeight weight(Tensor<float>::zeros({4, 2}));
  const TensorLayer chosen(forward(weight));  // its shape is not known before a pass
  const auto loss = sum(tanh(matmul(Tensor<float>::zeros({1, 3}), chosen)));
  const auto failed = train(loss).attempt().blockingAwait();  // yields the error instead of throwing it
  std::printf("%s\n", describe(failed.error()).c_str());
}
