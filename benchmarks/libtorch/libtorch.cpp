#include "libtorch/sides.hpp"

#include <ATen/Version.h>
#include <cblas.h>

#include "libtorch/tensors.hpp"

namespace tapestry::benchmarks::libtorch {

void Threads::set(int count) {
  openblas_set_num_threads(count);
  at::set_num_threads(count);
}

std::string description() {
  const std::string all = at::show_config(), key = "CPU capability usage: ";
  const std::size_t found = all.find(key), begin = found + key.size();
  const std::string kernels =
      found == std::string::npos ? "" : " " + all.substr(begin, all.find('\n', begin) - begin);
  return std::string("libtorch ") + TORCH_VERSION + kernels + ", OpenBLAS " + openblas_get_corename();
}

std::vector<MakeSide> sides(const std::function<Side(unsigned)>& make) {
  return {[make] { return make(1); }, [make] { return make(2); }};
}

}  // namespace tapestry::benchmarks::libtorch
