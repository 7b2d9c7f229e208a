// Defines what the sides in libtorch are written with. Included by their sources alone: torch.h is large.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tapestry/tensor/tensor.hpp>
#include <vector>

namespace tapestry::benchmarks::libtorch {

/// During its lifetime, libtorch and its OpenBLAS and OpenMP have so many threads; afterwards one.
class Threads {
 public:
  explicit Threads(unsigned count) { set(static_cast<int>(count)); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { set(1); }

 private:
  static void set(int count);
};

/// The same values in the same memory, which must outlive it.
inline ::torch::Tensor view(const Tensor<float>& tensor) {
  const std::vector<std::int64_t> extents(tensor.shape().begin(), tensor.shape().end());
  return ::torch::from_blob(const_cast<float*>(tensor.data()), extents);
}

inline ::torch::Tensor labelsOf(const std::vector<std::uint32_t>& labels) {
  const std::vector<std::int64_t> wide(labels.begin(), labels.end());
  return ::torch::tensor(wide);
}

/// A model's parameters, each with values to start from: a weight [inputs, outputs] of ours is [outputs,
/// inputs] there.
inline void setParameters(const ::torch::nn::Module& model, std::span<const Tensor<float>> values) {
  const ::torch::NoGradGuard guard;
  for (std::size_t i = 0; auto& parameter : model.parameters()) {
    const auto value = view(values[i++]);
    parameter.copy_(value.dim() == 2 ? value.t() : value);
  }
}

/// Cheaper than to fill them with zeros, and an optimizer passes over parameters that have none.
inline void forgetGradients(const ::torch::nn::Module& model) {
  for (auto& parameter : model.parameters()) parameter.mutable_grad() = ::torch::Tensor();
}

}  // namespace tapestry::benchmarks::libtorch
