// Times the tensor and its kernels; for matrix products also the two libraries that they are chosen from.
#include <benchmark/benchmark.h>

#include <cblas.h>
#include <dnnl.h>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/derivative.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/tensor/kernels/optimizer.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/kernels/softmax.hpp>

namespace {

using tapestry::Shape;
using tapestry::Tensor;
using tapestry::kernels::Transpose;
namespace kernels = tapestry::kernels;

Tensor<float> filled(const Shape& shape) { return Tensor<float>::full(shape, 0.5F); }

void copyHandle(benchmark::State& state) {
  const auto x = filled({64});
  for (auto _ : state) benchmark::DoNotOptimize(Tensor<float>(x));
}
BENCHMARK(copyHandle);

void allocate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Tensor<float>::uninitialized({64}));
}
BENCHMARK(allocate);

// Each yields a new tensor of as many elements as it is given.
template <class F>
void elementwise(benchmark::State& state, F function) {
  const auto x = filled({static_cast<std::size_t>(state.range(0))});
  for (auto _ : state) benchmark::DoNotOptimize(function(x));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
#define ELEMENTWISE(name, ...)                                                             \
  BENCHMARK_CAPTURE(elementwise, name, [](const Tensor<float>& x) { return __VA_ARGS__; }) \
      ->Arg(64)                                                                            \
      ->Arg(4096)                                                                          \
      ->Arg(1 << 20)
ELEMENTWISE(relu, kernels::relu(x));
ELEMENTWISE(exp, kernels::exp(x));
ELEMENTWISE(tanh, kernels::tanh(x));
ELEMENTWISE(sigmoid, kernels::sigmoid(x));
ELEMENTWISE(add, kernels::add(x, x));
ELEMENTWISE(reluDerivative, kernels::reluDerivative(x, x));
ELEMENTWISE(sgdStep, kernels::sgdStep(x, x, 0.1F));
ELEMENTWISE(sum, kernels::sum(x));
#undef ELEMENTWISE

void addBias(benchmark::State& state) {
  const auto x = filled({static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))});
  const auto bias = filled({static_cast<std::size_t>(state.range(1))});
  for (auto _ : state) benchmark::DoNotOptimize(kernels::add(x, bias));
}
BENCHMARK(addBias)->Args({1, 64})->Args({64, 10})->Args({64, 64})->Args({1000, 784});

void sumRows(benchmark::State& state) {
  const auto x = filled({static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))});
  for (auto _ : state) benchmark::DoNotOptimize(kernels::sum(x, {0}));
}
BENCHMARK(sumRows)->Args({64, 10})->Args({64, 64})->Args({1000, 784});

void crossEntropy(benchmark::State& state) {
  const auto logits = filled({static_cast<std::size_t>(state.range(0)), 10});
  const std::vector<std::uint32_t> labels(logits.shape()[0], 3);
  for (auto _ : state) benchmark::DoNotOptimize(kernels::crossEntropyRows(logits, labels));
}
BENCHMARK(crossEntropy)->Arg(1)->Arg(64);

void accumulateOuter(benchmark::State& state) {
  const auto x = filled({1, static_cast<std::size_t>(state.range(0))});
  const auto delta = filled({1, static_cast<std::size_t>(state.range(1))});
  auto sum = filled({x.shape()[1], delta.shape()[1]});
  for (auto _ : state)
    sum = kernels::addProduct(std::move(sum), 1e-9F, x, Transpose::yes, delta, Transpose::no);
}
BENCHMARK(accumulateOuter)->Args({784, 64})->Args({64, 10});

// Products [m, k]·[k, n], by the kernel and by each library; the last two arguments transpose the operands.
struct Product {
  explicit Product(const benchmark::State& state)
      : m(static_cast<int>(state.range(0))),
        k(static_cast<int>(state.range(1))),
        n(static_cast<int>(state.range(2))),
        transposeA(state.range(3) != 0),
        transposeB(state.range(4) != 0),
        a(filled(transposeA ? shape(k, m) : shape(m, k))),
        b(filled(transposeB ? shape(n, k) : shape(k, n))),
        c(filled(shape(m, n))) {}

  static Shape shape(int rows, int columns) {
    return {static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)};
  }
  static void report(benchmark::State& state) {
    const double work = 2e-9 * static_cast<double>(state.range(0) * state.range(1) * state.range(2));
    state.counters["GFLOP/s"] =
        benchmark::Counter(work * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  }

  int m, k, n;
  bool transposeA, transposeB;
  Tensor<float> a, b, c;
};

void matmul(benchmark::State& state) {
  const Product p(state);
  for (auto _ : state)
    benchmark::DoNotOptimize(kernels::matmul(p.a, Transpose{p.transposeA}, p.b, Transpose{p.transposeB}));
  Product::report(state);
}

void openBlas(benchmark::State& state) {
  Product p(state);
  state.SetLabel(openblas_get_corename());
  for (auto _ : state)
    cblas_sgemm(CblasRowMajor, p.transposeA ? CblasTrans : CblasNoTrans,
                p.transposeB ? CblasTrans : CblasNoTrans, p.m, p.n, p.k, 1, p.a.data(),
                p.transposeA ? p.m : p.k, p.b.data(), p.transposeB ? p.k : p.n, 0, p.c.exclusiveData(), p.n);
  Product::report(state);
}

void oneDnn(benchmark::State& state) {
  Product p(state);
  for (auto _ : state)
    dnnl_sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, 1, p.a.data(),
               p.transposeA ? p.m : p.k, p.b.data(), p.transposeB ? p.k : p.n, 0, p.c.exclusiveData(), p.n);
  Product::report(state);
}

void shapes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"m", "k", "n", "ta", "tb"});
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{1, 784, 64},
                                                                  {1, 64, 10},
                                                                  {1, 784, 1},
                                                                  {784, 1, 64},
                                                                  {4, 16, 4},
                                                                  {16, 64, 64},
                                                                  {64, 784, 64},
                                                                  {784, 64, 64},
                                                                  {16, 3072, 64},
                                                                  {3072, 16, 64},
                                                                  {16, 64, 3072},
                                                                  {256, 784, 256},
                                                                  {256, 1024, 1024}})
    for (const auto& [a, b] : {std::pair<int, int>{0, 0}, {1, 0}, {0, 1}})
      benchmark->Args({shape[0], shape[1], shape[2], a, b});
}
BENCHMARK(matmul)->Apply(shapes);
BENCHMARK(openBlas)->Apply(shapes);
BENCHMARK(oneDnn)->Apply(shapes);

}  // namespace
