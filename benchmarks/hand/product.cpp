#include "hand/product.hpp"

#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <dnnl.hpp>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "hand/division.hpp"

// Functions of OpenMP, on which oneDNN runs; clang 16 comes without its header.
extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int);
}

namespace tapestry::benchmarks::hand {

namespace {

/// The rows, or else the columns, of the result from `begin` on, `count` of them.
Product partByOpenBlas(const ProductShape& s, bool rows, int begin, int count) {
  const int offsetA = !rows ? 0 : s.transposeA ? begin : begin * s.k;
  const int offsetB = rows ? 0 : s.transposeB ? begin * s.k : begin;
  const int offsetC = rows ? begin * s.n : begin;
  return [=, lda = s.transposeA ? s.m : s.k, ldb = s.transposeB ? s.k : s.n](const float* a, const float* b,
                                                                             float* c) {
    cblas_sgemm(CblasRowMajor, s.transposeA ? CblasTrans : CblasNoTrans,
                s.transposeB ? CblasTrans : CblasNoTrans, rows ? count : s.m, rows ? s.n : count, s.k,
                s.alpha, a + offsetA, lda, b + offsetB, ldb, s.beta, c + offsetC, s.n);
  };
}

Product byOpenBlas(const ProductShape& s) { return partByOpenBlas(s, true, 0, s.m); }

Product bySgemm(const ProductShape& s) {
  return [s, lda = s.transposeA ? s.m : s.k, ldb = s.transposeB ? s.k : s.n](const float* a, const float* b,
                                                                             float* c) {
    dnnl_sgemm(s.transposeA ? 'T' : 'N', s.transposeB ? 'T' : 'N', s.m, s.n, s.k, s.alpha, a, lda, b, ldb,
               s.beta, c, s.n);
  };
}

dnnl::memory::desc matrix(int rows, int columns, bool transposed) {
  const dnnl::memory::dims strides =
      transposed ? dnnl::memory::dims{1, rows} : dnnl::memory::dims{columns, 1};
  return {{rows, columns}, dnnl::memory::data_type::f32, strides};
}

/// The primitive with its memory, whose addresses are set for each call.
struct Matmul {
  explicit Matmul(const ProductShape& s) {
    dnnl::primitive_attr attributes;
    if (s.alpha != 1) attributes.set_output_scales(0, {s.alpha});
    if (s.beta != 0) {
      dnnl::post_ops add;
      add.append_sum(s.beta);
      attributes.set_post_ops(add);
    }
    const dnnl::memory::desc left = matrix(s.m, s.k, s.transposeA), right = matrix(s.k, s.n, s.transposeB),
                             result = matrix(s.m, s.n, false);
    multiply = dnnl::matmul({{left, right, result}, attributes, engine});
    a = dnnl::memory(left, engine, nullptr);
    b = dnnl::memory(right, engine, nullptr);
    c = dnnl::memory(result, engine, nullptr);
    arguments = {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
  }

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::matmul multiply;
  dnnl::memory a, b, c;
  std::unordered_map<int, dnnl::memory> arguments;
};

Product byMatmul(const ProductShape& s) {
  return [matmul = std::make_shared<Matmul>(s)](const float* a, const float* b, float* c) {
    // its handles are not const, but of these it only reads
    matmul->a.set_data_handle(const_cast<float*>(a));
    matmul->b.set_data_handle(const_cast<float*>(b));
    matmul->c.set_data_handle(c);
    matmul->multiply.execute(matmul->stream, matmul->arguments);
  };
}

double secondsOf(const Product& product, const float* a, const float* b, float* c) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) product(a, b, c);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Product fastest(const ProductShape& shape) {
  const auto size = [](int rows, int columns) { return static_cast<std::size_t>(rows) * columns; };
  const std::vector<float> a(size(shape.m, shape.k), 1e-3F), b(size(shape.k, shape.n), 1e-3F);
  std::vector<float> c(size(shape.m, shape.n));
  std::vector<std::pair<double, Product>> candidates;
  for (Product& product : std::vector{byOpenBlas(shape), bySgemm(shape), byMatmul(shape)})
    candidates.emplace_back(std::numeric_limits<double>::infinity(), std::move(product));
  for (int round = 0; round < 20; ++round)
    for (auto& [least, product] : candidates)
      least = std::min(least, secondsOf(product, a.data(), b.data(), c.data()));
  return std::ranges::min_element(candidates, {}, &std::pair<double, Product>::first)->second;
}

}  // namespace

Product makeProduct(const ProductShape& shape, Library library) {
  if (library == Library::openBlas) return byOpenBlas(shape);
  static std::map<std::pair<int, ProductShape>, Product> known;  // by the number of threads too
  Product& product = known[{omp_get_max_threads(), shape}];
  if (!product) product = fastest(shape);
  return product;
}

Product makeHalvedProduct(const ProductShape& shape) {
  if (static_cast<double>(shape.m) * shape.n * shape.k < 1'000'000) return byOpenBlas(shape);
  const bool rows = shape.m > shape.n;
  const int extent = rows ? shape.m : shape.n;
  return [halves = std::vector{partByOpenBlas(shape, rows, 0, extent / 2),
                               partByOpenBlas(shape, rows, extent / 2, extent - extent / 2)}](
             const float* a, const float* b, float* c) {
    forEach(true, 2, [&](std::size_t half) { halves[half](a, b, c); });
  };
}

std::string kernelsOf(Library library) {
  const std::string openBlas = std::string("OpenBLAS ") + openblas_get_corename();
  if (library == Library::openBlas) return openBlas;
  const auto set = dnnl::get_effective_cpu_isa();
  return openBlas + " or oneDNN " +
         (set >= dnnl::cpu_isa::avx512_core ? "AVX-512"
          : set >= dnnl::cpu_isa::avx2      ? "AVX2"
                                            : "SSE4");
}

void Threads::set(int count) {
  openblas_set_num_threads(count);
  omp_set_num_threads(count);
}

}  // namespace tapestry::benchmarks::hand
