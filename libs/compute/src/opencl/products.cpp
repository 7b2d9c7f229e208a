#include "opencl/products.hpp"

#include <mutex>

#include <clblast.h>

#include <tapestry/compute/device_error.hpp>

namespace tapestry::detail {

namespace {

std::mutex driversMutex;
int drivers = 0;

template <class T>
clblast::StatusCode gemm(const extend::DeviceProduct& p, std::size_t batch, cl_command_queue queue) {
  const auto transposed = [](bool is) { return is ? clblast::Transpose::kYes : clblast::Transpose::kNo; };
  return clblast::Gemm<T>(clblast::Layout::kRowMajor, transposed(p.a.transposed), transposed(p.b.transposed),
                          p.m, p.n, p.k, static_cast<T>(p.alpha), memoryOf(p.a.memory),
                          p.a.offset + batch * p.a.batchStride, p.a.rowLength, memoryOf(p.b.memory),
                          p.b.offset + batch * p.b.batchStride, p.b.rowLength, static_cast<T>(p.beta),
                          memoryOf(p.c.memory), p.c.offset + batch * p.c.batchStride, p.c.rowLength, &queue);
}

}  // namespace

void multiplyOn(const std::string& device, const extend::DeviceProduct& product, cl_command_queue queue) {
  for (std::size_t batch = 0; batch < product.batch; ++batch) {
    const clblast::StatusCode status =
        product.isDouble ? gemm<double>(product, batch, queue) : gemm<float>(product, batch, queue);
    if (status != clblast::StatusCode::kSuccess)
      throw DeviceError("tapestry::" + device + ": product: CLBlast failed with status " +
                        std::to_string(static_cast<int>(status)));
  }
}

ProductsInUse::ProductsInUse() noexcept {
  const std::lock_guard lock(driversMutex);
  ++drivers;
}

ProductsInUse::~ProductsInUse() {
  const std::lock_guard lock(driversMutex);
  if (--drivers == 0) clblast::ClearCache();
}

}  // namespace tapestry::detail
