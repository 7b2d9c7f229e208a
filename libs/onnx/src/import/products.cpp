#include <tapestry/deeplearning/operations/arithmetic/add.hpp>
#include <tapestry/deeplearning/operations/arithmetic/multiply.hpp>
#include <tapestry/deeplearning/operations/product/affine.hpp>
#include <tapestry/deeplearning/operations/product/einsum.hpp>
#include <tapestry/deeplearning/operations/product/matmul.hpp>

#include "call.hpp"

namespace tapestry::onnx {

namespace {

/// alpha * op(A) · op(B) + beta * C.
std::vector<Value> generalProduct(const Call& call) {
  const auto transposed = [&](const char* name) {
    return call.attribute<std::int64_t>(name, 0) != 0 ? Transpose::yes : Transpose::no;
  };
  const auto transposeA = transposed("transA"), transposeB = transposed("transB");
  const auto alpha = call.attribute<float>("alpha", 1), beta = call.attribute<float>("beta", 1);
  const bool plain = transposeA == Transpose::no && transposeB == Transpose::no && alpha == 1 && beta == 1;
  if (plain && call.has(2)) return {TensorLayer(affine(call.layer(0), call.layer(1), call.layer(2)))};
  TensorLayer y = matmul(call.layer(0), transposeA, call.layer(1), transposeB);
  if (alpha != 1) y = y * alpha;
  if (call.has(2)) y = beta == 1 ? y + call.layer(2) : y + call.layer(2) * beta;
  return {y};
}

std::vector<Value> summedProduct(const Call& call) {
  if (call.inputs() != 2)
    call.fail("another number of operands, got " + std::to_string(call.inputs()) + ", expected 2");
  return {TensorLayer(einsum(call.attribute<std::string>("equation"), call.layer(0), call.layer(1)))};
}

}  // namespace

void addProducts(Handlers& handlers) {
  handlers.insert(
      {{"MatMul", binaryOf([](const TensorLayer& x, const TensorLayer& y) { return matmul(x, y); })},
       {"Gemm", generalProduct},
       {"Einsum", summedProduct}});
}

}  // namespace tapestry::onnx
