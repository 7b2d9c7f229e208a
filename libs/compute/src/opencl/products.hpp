// Defines multiplyOn, products of matrices by CLBlast, and ProductsInUse, which keeps CLBlast's cache.
#pragma once

#include <string>

#include "opencl/driver.hpp"

namespace tapestry::detail {

/// Enqueues the product. Throws DeviceError, which names the device.
void multiplyOn(const std::string& device, const extend::DeviceProduct& product, cl_command_queue queue);

/// Counts the drivers, since the cache of products is one for all: it is cleared when the last driver ends. A
/// context whose products are in the cache lives until then.
class ProductsInUse {
 public:
  ProductsInUse() noexcept;
  ProductsInUse(const ProductsInUse&) = delete;
  ProductsInUse& operator=(const ProductsInUse&) = delete;
  ~ProductsInUse();
};

}  // namespace tapestry::detail
