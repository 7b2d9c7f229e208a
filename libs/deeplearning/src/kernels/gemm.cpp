#include "kernels/gemm.hpp"

#include <cblas.h>
#include <dnnl.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/one_dnn.hpp"

namespace tapestry::kernels {

namespace {

// What is known of the two libraries on this machine, found out at the first product.
struct Libraries {
  bool openBlasHasSmallKernels = false;
  bool oneDnnHasAvx512 = false;

  Libraries() {
    // All flavours have one soname, so that only the one that was loaded can tell. The serial one returns
    // wrong numbers when two threads are inside it.
    if (openblas_get_parallel() == 0)
      throw std::runtime_error(
          "tapestry::matmul: OpenBLAS is not thread-safe, got its serial flavour, expected the pthread one "
          "(libopenblas0-pthread, chosen by update-alternatives)");
    openblas_set_num_threads(1);
    const std::string core = openblas_get_corename();
    openBlasHasSmallKernels = core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids";
    oneDnnHasAvx512 = hasOneDnn && dnnl_get_effective_cpu_isa() >= dnnl_cpu_isa_avx512_core;
  }
};

const Libraries& libraries() {
  static const Libraries found;
  return found;
}

// By measurements, which docs/decisions/matrix-products.md gives.
bool prefersOneDnn(const ProductShape& shape) {
  const Libraries& found = libraries();
  if (!hasOneDnn) return false;
  const std::size_t small = found.openBlasHasSmallKernels ? 128 * 1024 : 8 * 1024;
  if (shape.m * shape.n <= small / shape.k) return false;
  const bool contends = (!shape.transposeB && shape.n % 256 == 0) || (shape.transposeA && shape.m % 256 == 0);
  return found.oneDnnHasAvx512 || !contends || shape.k <= 32;
}

void requireFits(const ProductShape& shape) {
  const std::size_t largest = std::max({shape.m, shape.n, shape.k});
  if (largest > std::numeric_limits<int>::max())
    throw std::length_error("tapestry::matmul: extent too large, got " + std::to_string(largest) +
                            ", expected at most " + std::to_string(std::numeric_limits<int>::max()));
}

// The arguments that both libraries want.
struct Arguments {
  explicit Arguments(const ProductShape& shape)
      : m(static_cast<int>(shape.m)),
        n(static_cast<int>(shape.n)),
        k(static_cast<int>(shape.k)),
        strideA(shape.transposeA ? m : k),
        strideB(shape.transposeB ? k : n),
        transposeA(shape.transposeA ? CblasTrans : CblasNoTrans),
        transposeB(shape.transposeB ? CblasTrans : CblasNoTrans) {}
  int m, n, k, strideA, strideB;
  CBLAS_TRANSPOSE transposeA, transposeB;
};

bool multiplyByOneDnn(const ProductShape& shape, float alpha, const float* a, const float* b, float beta,
                      float* c) {
  const Arguments x(shape);
  return dnnl_sgemm(shape.transposeA ? 'T' : 'N', shape.transposeB ? 'T' : 'N', x.m, x.n, x.k, alpha, a,
                    x.strideA, b, x.strideB, beta, c, x.n) == dnnl_success;
}

}  // namespace

template <>
void gemm(const ProductShape& shape, float alpha, const float* a, const float* b, float beta, float* c) {
  requireFits(shape);
  const bool oneDnn = prefersOneDnn(shape);
  const OneThread guard;
  if (oneDnn && multiplyByOneDnn(shape, alpha, a, b, beta, c)) return;
  const Arguments x(shape);
  cblas_sgemm(CblasRowMajor, x.transposeA, x.transposeB, x.m, x.n, x.k, alpha, a, x.strideA, b, x.strideB,
              beta, c, x.n);
}

template <>
void gemm(const ProductShape& shape, double alpha, const double* a, const double* b, double beta, double* c) {
  requireFits(shape);
  libraries();
  const OneThread guard;
  const Arguments x(shape);
  cblas_dgemm(CblasRowMajor, x.transposeA, x.transposeB, x.m, x.n, x.k, alpha, a, x.strideA, b, x.strideB,
              beta, c, x.n);
}

}  // namespace tapestry::kernels
