// The steps of the tutorial on tensors.
#include <tapestry/deeplearning.hpp>

#include <cstdio>
#include <stdexcept>
#include <vector>

using namespace tapestry;

// [print]
void print(const char* what, const Tensor<float>& x) {
  std::printf("%s %s:", what, toString(x.shape()).c_str());
  for (const float value : x.values()) std::printf(" %g", value);
  std::printf("\n");
}
// [/print]

int main() {
  // [make]
  const Tensor<float> table({2, 3}, {1, 2, 3, 4, 5, 6});  // a shape, and values row after row
  const auto ones = Tensor<float>::full({3}, 1);
  const std::vector<float> measured{0.5f, 1.5f};
  const Tensor<float> column({2, 1}, measured);
  std::printf("%g %g %zu\n", table(1, 0), table(-1, -1), table.size());  // negative: from the end
  // [/make]

  // [immutable]
  Tensor<float> copy = table;  // O(1): both handles share the values
  std::printf("%d\n", copy.identical(table));
  copy.exclusiveData()[0] = 10;  // a copy of the values, since `table` has them, too
  std::printf("%g %g\n", table(0, 0), copy(0, 0));
  print("reshaped", table.reshape({3, 2}));
  // [/immutable]

  // [compute]
  const TensorLayer shifted = table * column + ones;  // a layer: nothing is computed yet
  print("shifted", predict(shifted).blockingAwait());
  print("product", predict(matmul(table, transpose(TensorLayer(table)))).blockingAwait());
  std::printf("%g\n", predict(sum(shifted)).blockingAwait());
  // [/compute]

  // [indices]
  const Indices rows{1, 0, 1};
  print("gathered", predict(gather(TensorLayer(table), rows, 0)).blockingAwait());
  const Indices best = argmax(table, 1);
  std::printf("%lld %lld\n", static_cast<long long>(best.values()[0]),
              static_cast<long long>(best.values()[1]));
  // [/indices]

  // [error]
  try {
    static_cast<void>(table * Tensor<float>::zeros({2}));
  } catch (const ShapeError& error) {
    std::printf("%s\n", error.what());
  }
  // [/error]
}
