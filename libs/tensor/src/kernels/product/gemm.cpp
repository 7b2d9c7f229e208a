#include "kernels/product/gemm.hpp"

#include <cblas.h>
#include <dnnl.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "kernels/one_dnn.hpp"
#include "kernels/product/matrix_loops.hpp"
#include "kernels/product/product_parts.hpp"
#include "kernels/product/tile_loops.hpp"

namespace tapestry::kernels {

namespace {

// What is known of the two libraries on this machine, found out at the first product.
struct Libraries {
  bool openBlasHasSmallKernels = false;
  bool oneDnnHasAvx512 = false;
  TileProduct tiles = tileProduct();

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

// All by measurements, which docs/decisions/matrix-products.md gives.

bool tilesLeadWithAvx512(const ProductShape& shape) {
  if (shape.transposeB) return shape.k <= 128;
  if (shape.n < 32 && libraries().openBlasHasSmallKernels) return false;
  if (shape.transposeA && shape.k <= 64) return true;
  return shape.n <= 64 && shape.m <= 256;
}

bool tilesLeadWithAvx2(const ProductShape& shape) {
  if (shape.transposeB) return shape.k <= 64;
  return shape.n <= 64 && (shape.k <= 32 || shape.m <= 64 || (shape.transposeA && shape.m <= 128));
}

bool prefersTiles(const ProductShape& shape) {
  const Libraries& found = libraries();
  if (found.tiles == nullptr || !tilesFit(shape)) return false;
  return found.oneDnnHasAvx512 ? tilesLeadWithAvx512(shape) : tilesLeadWithAvx2(shape);
}

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
  template <class T>
  explicit Arguments(const ProductPart<T>& part)
      : m(static_cast<int>(part.shape.m)),
        n(static_cast<int>(part.shape.n)),
        k(static_cast<int>(part.shape.k)),
        strideA(static_cast<int>(part.steps.a)),
        strideB(static_cast<int>(part.steps.b)),
        strideC(static_cast<int>(part.steps.c)),
        transposeA(part.shape.transposeA ? CblasTrans : CblasNoTrans),
        transposeB(part.shape.transposeB ? CblasTrans : CblasNoTrans) {}
  int m, n, k, strideA, strideB, strideC;
  CBLAS_TRANSPOSE transposeA, transposeB;
};

bool multiplyByOneDnn(const Arguments& x, float alpha, const float* a, const float* b, float beta, float* c) {
  const auto letter = [](CBLAS_TRANSPOSE transpose) { return transpose == CblasTrans ? 'T' : 'N'; };
  return dnnl_sgemm(letter(x.transposeA), letter(x.transposeB), x.m, x.n, x.k, alpha, a, x.strideA, b,
                    x.strideB, beta, c, x.strideC) == dnnl_success;
}

void multiplyByTiles(const ProductPart<float>& whole, float alpha) {
  inParts(whole, [&](const ProductPart<float>& part) noexcept {
    libraries().tiles(part.shape, part.steps, alpha, part.a, part.b, part.from, part.to);
  });
}

}  // namespace

void requireGemm(const ProductShape& shape) {
  libraries();
  requireFits(shape);
}

template <>
void gemm(const ProductShape& shape, float alpha, const float* a, const float* b, float beta, float* c) {
  const ProductPart<float> whole{shape, a, b, beta == 0 ? nullptr : c, c};
  if ((beta == 0 || beta == 1) && prefersTiles(shape)) return multiplyByTiles(whole, alpha);
  requireFits(shape);
  const bool oneDnn = prefersOneDnn(shape);
  inParts(whole, [&](const ProductPart<float>& part) noexcept {
    const OneThread guard;
    const Arguments x(part);
    const float factor = part.from ? beta : 0;
    if (oneDnn && multiplyByOneDnn(x, alpha, part.a, part.b, factor, part.to)) return;
    cblas_sgemm(CblasRowMajor, x.transposeA, x.transposeB, x.m, x.n, x.k, alpha, part.a, x.strideA, part.b,
                x.strideB, factor, part.to, x.strideC);
  });
}

template <>
void gemm(const ProductShape& shape, double alpha, const double* a, const double* b, double beta, double* c) {
  requireFits(shape);
  libraries();
  inParts(ProductPart<double>{shape, a, b, beta == 0 ? nullptr : c, c},
          [&](const ProductPart<double>& part) noexcept {
            const OneThread guard;
            const Arguments x(part);
            cblas_dgemm(CblasRowMajor, x.transposeA, x.transposeB, x.m, x.n, x.k, alpha, part.a, x.strideA,
                        part.b, x.strideB, part.from ? beta : 0, part.to, x.strideC);
          });
}

template <>
void gemmOnto(const ProductShape& shape, float alpha, const float* a, const float* b, const float* from,
              float* to) {
  if (prefersTiles(shape)) return multiplyByTiles({shape, a, b, from, to}, alpha);
  if (from != to) std::copy_n(from, shape.m * shape.n, to);
  gemm(shape, alpha, a, b, 1.0F, to);
}

template <>
void gemmOnto(const ProductShape& shape, double alpha, const double* a, const double* b, const double* from,
              double* to) {
  if (from != to) std::copy_n(from, shape.m * shape.n, to);
  gemm(shape, alpha, a, b, 1.0, to);
}

template <>
void gemmOntoRow(const ProductShape& shape, const float* a, const float* b, const float* row, float* to) {
  // A deeper product is accumulated in `to` in several passes, and the row would be added before the first.
  if (shape.k <= tileDepth && prefersTiles(shape)) {
    ProductPart<float> whole{shape, a, b, row, to};
    whole.steps.from = 0;
    return multiplyByTiles(whole, 1);
  }
  gemm(shape, 1.0F, a, b, 0.0F, to);
  matrixLoops<float>().addRow(row, shape.m, shape.n, to);
}

template <>
void gemmOntoRow(const ProductShape& shape, const double* a, const double* b, const double* row, double* to) {
  gemm(shape, 1.0, a, b, 0.0, to);
  matrixLoops<double>().addRow(row, shape.m, shape.n, to);
}

}  // namespace tapestry::kernels
