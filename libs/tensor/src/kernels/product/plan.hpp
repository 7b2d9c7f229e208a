// Defines plan, which decides how a product of two matrices is computed.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// op(a) is [m, k] and op(b) is [k, n], where op transposes if asked to; both are contiguous.
struct ProductShape {
  bool transposeA;
  bool transposeB;
  std::size_t m;
  std::size_t n;
  std::size_t k;
};

/// The addend of alpha * op(a)·op(b): nothing, a matrix, or one row for each row.
enum class Addend { none, matrix, row };

/// The properties of a product, besides its shape, on which its plan depends.
struct ProductForm {
  bool isDouble = false;
  bool isScaled = false;  ///< alpha is not 1
  Addend addend = Addend::none;
};

/// The features of this machine and its libraries.
struct ProductMachine {
  bool hasTiles;
  bool hasOneDnn;
  bool oneDnnHasAvx512;
  bool hasOpenBlas = true;
};

/// Determined at the first call. Throws std::runtime_error if the loaded OpenBLAS is not safe to call from
/// several threads.
const ProductMachine& thisMachine();

/// `noTerms` only writes the addend, since k is 0. The last four backends are for matrices; `blocks` takes
/// all of them, and is chosen where OpenBLAS is missing.
enum class Backend { none, noTerms, dot, rowTimesMatrix, matrixTimesColumn, tiles, oneDnn, openBlas, blocks };

/// The parts that helpers may compute: parts of the result's rows or columns, or of the terms of its sums.
struct ProductCut {
  enum class Along { rows, columns, depth };
  Along along;
  std::size_t extent;
  std::size_t length;  ///< of each part but the last
  std::size_t parts;
};

struct Plan {
  Backend backend;
  bool addsRowLast = false;  ///< The row is added by a separate loop.
  std::size_t cost = 0;      ///< for matrices, in units of ProductCost::part, rounded down
  ProductCut cut{ProductCut::Along::rows, 0, 0, 1};
};

/// Returns a plan that depends only on the arguments. Takes some ns. Throws std::length_error for an extent
/// beyond the integers of the library that is to compute the product.
Plan plan(const ProductShape& shape, const ProductForm& form, const ProductMachine& machine);

/// The number of terms that tiles add up in registers; the parts of deeper products are added up in the
/// result.
inline constexpr std::size_t tileDepth = 64;

}  // namespace tapestry::kernels
