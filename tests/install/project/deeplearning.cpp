// components: continuation tryt resourcet raii tensor deeplearning
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/pictures.hpp>
#include <tapestry/storage.hpp>

#include <cstdio>

using namespace tapestry;

int main() {
  DoubleWeight weight(1, sgd(0.1));
  TensorWeight matrix(Tensor<float>({1, 1}, {2}), sgd(0.1));
  train(2.0 * weight + sum(matmul(Tensor<float>({1}, {3}), matrix))).blockingAwait();
  std::printf("%.1f %.1f\n", weight.data(), static_cast<double>(matrix.data().item()));
  return weight.data() < 0.85 && matrix.data().item() < 1.75f ? 0 : 1;
}
