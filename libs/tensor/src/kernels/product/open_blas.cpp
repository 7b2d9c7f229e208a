#include "kernels/product/backends.hpp"

#include <cblas.h>

#include <stdexcept>

namespace tapestry::kernels {

namespace {

template <class T, class Function>
void callGemm(Function* function, const Product<T>& x) noexcept {
  const auto integer = [](std::size_t value) { return static_cast<int>(value); };
  const auto operation = [](bool transpose) { return transpose ? CblasTrans : CblasNoTrans; };
  function(CblasRowMajor, operation(x.shape.transposeA), operation(x.shape.transposeB), integer(x.shape.m),
           integer(x.shape.n), integer(x.shape.k), x.alpha, x.a, integer(x.steps.a), x.b, integer(x.steps.b),
           x.from ? T{1} : T{0}, x.to, integer(x.steps.c));
}

}  // namespace

void keepOpenBlasOnOneThread() {
  // All flavours of OpenBLAS have one soname, so that only the loaded library can report its flavour. The
  // serial flavour returns wrong numbers when two threads call it at once.
  if (openblas_get_parallel() == 0)
    throw std::runtime_error(
        "tapestry::matmul: OpenBLAS is not thread-safe, got its serial flavour, expected the pthread one "
        "(libopenblas0-pthread, chosen by update-alternatives)");
  openblas_set_num_threads(1);
}

void multiplyByOpenBlas(const Product<float>& product) noexcept { callGemm(cblas_sgemm, product); }
void multiplyByOpenBlas(const Product<double>& product) noexcept { callGemm(cblas_dgemm, product); }

}  // namespace tapestry::kernels
