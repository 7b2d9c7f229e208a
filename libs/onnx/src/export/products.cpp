#include <cmath>
#include <limits>

#include "emitter.hpp"

namespace tapestry::onnx::exporting {

namespace {

/// Written as MatMul and Add: OpenCV 4.6 takes the weight of a Gemm for transposed.
std::string affine(const Operation& operation) {
  const auto product = operation.add("MatMul", {operation.inputs[0], operation.inputs[1]});
  return operation.add("Add", {product, operation.inputs[2]});
}

/// The operand with its last two axes exchanged, a vector as it is.
std::string mirrored(const Operation& operation, const std::string& x, std::size_t rank) {
  return rank < 2 ? x : operation.exchanged(x, rank, rank - 2, rank - 1);
}

std::string matmul(const Operation& operation) {
  const bool left = operation.setting<bool>("transposeX"), right = operation.setting<bool>("transposeY");
  if (!left && !right) return operation.add("MatMul", operation.inputs);
  const std::size_t ranks[] = {operation.operand(0).rank(), operation.operand(1).rank()};
  if (ranks[0] == 2 && ranks[1] == 2)
    return operation.add("Gemm", operation.inputs,
                         {{"transA", std::int64_t{left}}, {"transB", std::int64_t{right}}});
  const auto& [x, y] = std::pair(operation.inputs[0], operation.inputs[1]);
  return operation.add(
      "MatMul", {left ? mirrored(operation, x, ranks[0]) : x, right ? mirrored(operation, y, ranks[1]) : y});
}

std::string outer(const Operation& operation) {
  const auto column = operation.add("Unsqueeze", {operation.inputs[0]}, {{"axes", List{1}}});
  return operation.add("Mul", {column, operation.inputs[1]});
}

std::string einsum(const Operation& operation) {
  return operation.add("Einsum", operation.inputs,
                       {{"equation", operation.setting<std::string>("subscripts")}});
}

/// What a query may not see: -inf, else 0.
Tensor<float> causalMask(std::size_t queries, std::size_t keys) {
  auto mask = Tensor<float>::zeros({queries, keys});
  for (std::size_t t = 0; t < queries; ++t)
    for (std::size_t s = t + 1; s < keys; ++s)
      mask.exclusiveData()[t * keys + s] = -std::numeric_limits<float>::infinity();
  return mask;
}

/// The scores q · kᵀ / sqrt(D), or their softmax.
std::string attention(const Operation& operation) {
  Emitter& emitter = operation.emitter;
  const Shape& q = operation.operand(0);
  if (operation.part() == "scores") {
    const auto keys = mirrored(operation, operation.inputs[1], operation.operand(1).rank());
    const auto product = emitter.add("MatMul", {operation.inputs[0], keys});
    return emitter.add("Div", {product, emitter.constant(std::sqrt(static_cast<double>(q[q.rank() - 1])))});
  }
  std::string scores = operation.inputs[0];
  if (operation.setting<bool>("causal"))
    scores = emitter.add("Add", {scores, emitter.constant(causalMask(q[q.rank() - 2], q[q.rank() - 1]))});
  return emitter.add("Softmax", {scores}, {{"axis", static_cast<std::int64_t>(q.rank()) - 1}});
}

}  // namespace

void addProducts(Writers& writers) {
  writers["affine"] = affine;
  writers["matmul"] = matmul;
  writers["dot"] = [](const Operation& operation) { return operation.add("MatMul", operation.inputs); };
  writers["outer"] = outer;
  writers["einsum"] = einsum;
  writers["scaledDotProductAttention"] = attention;
}

}  // namespace tapestry::onnx::exporting
