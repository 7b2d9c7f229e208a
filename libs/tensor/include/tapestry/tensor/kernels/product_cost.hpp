// Defines ProductCost, the sizes and prices by which products of matrices are shared and forked.
#pragma once

#include <cstddef>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// What a product costs, counted in multiplications: rows times columns of the result times depth.
struct ProductCost {
  /// The least number of multiplications of a part that a helper computes, some 5 us, which is about as long
  /// as waking a thread takes (docs/decisions/shared-products.md).
  static constexpr std::size_t part = 256 * 1024;
  /// From this number on `matmul` cuts a product into parts.
  static constexpr std::size_t shared = 4 * part;
  /// An upper estimate of a multiplication in ns, which decides forks of a network. It is right for small
  /// products without AVX-512; large products take some 0.02 (docs/decisions/matrix-products.md).
  static constexpr float ns = 0.1f;
};

}  // namespace tapestry::kernels
#pragma GCC visibility pop
