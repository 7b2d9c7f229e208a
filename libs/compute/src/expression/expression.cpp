#include "expression/expression.hpp"

#include <utility>

namespace tapestry::detail {

ExpressionRef DeviceExpression::constantOf(bool isDouble, const Shape& shape, double value,
                                           std::shared_ptr<DeviceState> device) {
  auto expression = std::make_shared<DeviceExpression>();
  expression->isDouble = isDouble;
  expression->shape = shape;
  expression->constant = isDouble ? value : static_cast<float>(value);  // as the host rounds
  expression->device = std::move(device);
  return expression;
}

ExpressionRef DeviceExpression::storedIn(bool isDouble, const Shape& shape, BufferRef buffer,
                                         std::shared_ptr<DeviceState> device) {
  auto expression = std::make_shared<DeviceExpression>();
  expression->kind = Kind::stored;
  expression->isDouble = isDouble;
  expression->shape = shape;
  expression->weight = 0;
  expression->buffer = std::move(buffer);
  expression->device = std::move(device);
  return expression;
}

void DeviceExpression::becomeStored(BufferRef stored) noexcept {
  kind = Kind::stored;
  weight = 0;
  buffer = std::move(stored);
  operands = {};
  map.reset();
  rows.reset();
}

}  // namespace tapestry::detail
