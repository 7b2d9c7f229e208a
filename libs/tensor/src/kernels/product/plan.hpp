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

/// What is added to alpha * op(a)·op(b): nothing, a matrix, beta times a matrix, or one row to each row.
enum class Addend { none, matrix, scaledMatrix, row };

/// What decides about a product besides its shape.
struct ProductForm {
  bool isDouble = false;
  bool isScaled = false;  ///< alpha is not 1
  Addend addend = Addend::none;
};

/// What this machine and its libraries have.
struct ProductMachine {
  bool hasTiles;
  bool hasOneDnn;
  bool oneDnnHasAvx512;
};

/// Found out at the first call. Throws std::runtime_error if the loaded OpenBLAS is not safe to call from
/// several threads.
const ProductMachine& thisMachine();

/// `scale` has only the addend to write, since k is 0. The last three are for matrices.
enum class Backend { none, scale, dot, rowTimesMatrix, matrixTimesColumn, tiles, oneDnn, openBlas };

/// The parts that helpers may compute: of the result's rows or columns, or of the sums' terms.
struct ProductCut {
  enum class Along { rows, columns, depth };
  Along along;
  std::size_t extent;
  std::size_t length;  ///< of each part but the last
  std::size_t parts;
};

struct Plan {
  Backend backend;
  bool addsRowLast = false;  ///< The row is added by a loop of its own.
  std::size_t cost = 0;      ///< of matrices, in units of 256 * 1024 multiplications, some 5 us, rounded down
  ProductCut cut{ProductCut::Along::rows, 0, 0, 1};
};

/// The plan depends on its arguments alone. Takes some ns. Throws std::length_error where an extent is beyond
/// the integers of the library that is to compute the product.
Plan plan(const ProductShape& shape, const ProductForm& form, const ProductMachine& machine);

/// Tiles add up so many terms in registers; the parts of deeper products are added up in the result.
inline constexpr std::size_t tileDepth = 64;

}  // namespace tapestry::kernels
