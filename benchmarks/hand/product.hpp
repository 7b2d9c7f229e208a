// Defines Product, a product of matrices by a call of a library.
#pragma once

#include <compare>
#include <functional>
#include <string>

namespace tapestry::benchmarks::hand {

/// c[m, n] = alpha * op(a)·op(b) + beta * c, row by row; op(a) is [m, k], and transposed in memory if asked.
struct ProductShape {
  bool transposeA, transposeB;
  int m, n, k;
  float alpha = 1, beta = 0;
  auto operator<=>(const ProductShape&) const = default;
};

using Product = std::function<void(const float* a, const float* b, float* c)>;

/// What multiplies: OpenBLAS, or for each shape the fastest of OpenBLAS and oneDNN's two ways, `dnnl_sgemm`
/// and a primitive made once. The fastest is measured when a shape is first used.
enum class Library { openBlas, fastest };

/// On as many threads as `Threads` says.
Product makeProduct(const ProductShape& shape, Library library);

/// By OpenBLAS on one thread, in halves of the longer axis of the result that are computed in parallel; as a
/// whole if the product is too small to be worth two tasks.
Product makeHalvedProduct(const ProductShape& shape);

/// The kernels of the library, such as "OpenBLAS Zen".
std::string kernelsOf(Library library);

/// During its lifetime, OpenBLAS and OpenMP have so many threads; afterwards one.
class Threads {
 public:
  explicit Threads(unsigned count) { set(static_cast<int>(count)); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { set(1); }

 private:
  static void set(int count);
};

}  // namespace tapestry::benchmarks::hand
