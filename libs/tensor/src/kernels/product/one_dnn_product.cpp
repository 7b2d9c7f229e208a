#include "kernels/product/backends.hpp"

#include "kernels/one_dnn.hpp"
#include "kernels/one_dnn_library.hpp"

namespace tapestry::kernels {

bool multiplyByOneDnn(const Product<float>& x) noexcept {
  const auto extent = [](std::size_t value) { return static_cast<dnnl_dim_t>(value); };
  const auto letter = [](bool transpose) { return transpose ? 'T' : 'N'; };
  const OneThread guard;
  return dnnl_sgemm(letter(x.shape.transposeA), letter(x.shape.transposeB), extent(x.shape.m),
                    extent(x.shape.n), extent(x.shape.k), x.alpha, x.a, extent(x.steps.a), x.b,
                    extent(x.steps.b), x.from ? 1 : 0, x.to, extent(x.steps.c)) == dnnl_success;
}

bool oneDnnHasAvx512() noexcept { return dnnl_get_effective_cpu_isa() >= dnnl_cpu_isa_avx512_core; }

}  // namespace tapestry::kernels
