#include <tapestry/deeplearning.hpp>

using namespace tapestry;

int main() {
  TensorWeight matrix(Tensor<float>({1, 1}, {2}), sgd(0.1));
  train(sum(matmul(Tensor<float>({1}, {3}), matrix))).blockingAwait();
  return matrix.data().item() < 1.75F ? 0 : 1;
}
