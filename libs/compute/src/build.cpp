#include "build.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <tapestry/tensor/shape_error.hpp>

#include "kernel/store.hpp"

namespace tapestry::detail {

namespace {

using Kind = DeviceExpression::Kind;

/// Computes at once what has become too large for one kernel, or everything if the device does not fuse.
void limitWeight(DeviceExpression& expression) {
  std::uint32_t weight = 1;
  for (const ExpressionRef& operand : expression.operands)
    if (operand) weight += operand->weight;
  expression.weight = weight;
  if (!expression.device) return;
  if (!expression.device->fuses()) return store(expression);
  if (expression.weight <= DeviceExpression::maxWeight) return;
  const DeviceState::Lock lock(expression.device->mutex());
  expression.weight = countUnstored(expression);
  if (expression.weight <= DeviceExpression::maxWeight) return;
  for (const ExpressionRef& operand : expression.operands)
    if (operand && operand->kind != Kind::constant) storeLocked(*operand);
  expression.weight = countUnstored(expression);
}

/// An expression of one operand.
ExpressionRef unaryOf(ExpressionRef x, Kind kind, const Shape& shape) {
  auto expression = std::make_shared<DeviceExpression>();
  expression->kind = kind;
  expression->isDouble = x->isDouble;
  expression->shape = shape;
  expression->device = x->device;
  expression->operands[0] = std::move(x);
  return expression;
}

}  // namespace

std::shared_ptr<DeviceState> commonDevice(std::string_view function,
                                          std::span<const ExpressionRef> operands) {
  std::shared_ptr<DeviceState> device;
  for (const ExpressionRef& operand : operands) {
    if (!operand->device || operand->device == device) continue;
    if (device)
      throw DeviceError("tapestry::" + std::string(function) + ": operands are on " + device->name() +
                        " and on " + operand->device->name() + ", expected one device");
    device = operand->device;
  }
  return device;
}

std::shared_ptr<DeviceState> requiredDevice(std::string_view function,
                                            std::span<const ExpressionRef> operands) {
  std::shared_ptr<DeviceState> device = commonDevice(function, operands);
  if (!device)
    throw DeviceError("tapestry::" + std::string(function) +
                      ": all operands are constants, expected one of a device");
  return device;
}

void requireCountable(const Shape& shape, std::string_view operation) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (shape.size() > most)
    throw ShapeError(operation, "too many elements for a device", toString(shape),
                     "at most " + std::to_string(most));
}

ExpressionRef applied(const DeviceFunction& function, std::span<ExpressionRef> operands) {
  if (operands.size() > DeviceExpression::maxOperands)
    throw std::invalid_argument("tapestry::" + function.name + ": too many operands for a device, got " +
                                std::to_string(operands.size()) + ", expected at most " +
                                std::to_string(DeviceExpression::maxOperands));
  auto expression = std::make_shared<DeviceExpression>();
  expression->kind = Kind::applied;
  expression->isDouble = operands[0]->isDouble;
  expression->function = &function;
  expression->device = commonDevice(function.name, operands);
  Shape shape = operands[0]->shape;
  for (const ExpressionRef& operand : operands.subspan(1))
    shape = tapestry::broadcast(shape, operand->shape, function.name);
  requireCountable(shape, function.name);
  if (std::ranges::all_of(operands, [](const auto& operand) { return operand->kind == Kind::constant; })) {
    std::array<double, DeviceExpression::maxOperands> values{};
    for (std::size_t i = 0; i < operands.size(); ++i) values[i] = operands[i]->constant;
    return DeviceExpression::constantOf(expression->isDouble, shape, function.onHost(values.data()),
                                        expression->device);
  }
  expression->shape = shape;
  // a constant that expressions of several devices share would be marked under the locks of all of them
  for (std::size_t i = 0; i < operands.size(); ++i)
    expression->operands[i] = operands[i]->kind == Kind::constant
                                  ? DeviceExpression::constantOf(expression->isDouble, shape,
                                                                 operands[i]->constant, expression->device)
                                  : broadcasted(std::move(operands[i]), shape);
  limitWeight(*expression);
  return expression;
}

ExpressionRef viewed(ExpressionRef x, const Shape& shape, const IndexMap& map) {
  const bool isWhole = map.isIdentity() && shape.size() == x->shape.size();
  if (isWhole && shape == x->shape) return x;
  if (x->kind == Kind::constant)
    return DeviceExpression::constantOf(x->isDouble, shape, x->constant, x->device);
  if (isWhole) {
    const DeviceState::Lock lock(x->device->mutex());
    if (x->isStored()) return DeviceExpression::storedIn(x->isDouble, shape, x->buffer, x->device);
  }
  const ExpressionRef expression = unaryOf(std::move(x), Kind::view, shape);
  expression->map = map;
  limitWeight(*expression);
  return expression;
}

ExpressionRef broadcasted(ExpressionRef x, const Shape& shape) {
  if (x->shape == shape) return x;
  requireCountable(shape, "broadcastTo");
  const IndexMap map = IndexMap::broadcast(x->shape, shape);
  return viewed(std::move(x), shape, map);
}

ExpressionRef gathered(ExpressionRef x, const Shape& shape, RowChoice rows) {
  const ExpressionRef expression = unaryOf(std::move(x), Kind::gathered, shape);
  expression->rows = std::move(rows);
  limitWeight(*expression);
  return expression;
}

ExpressionRef onDevice(const ExpressionRef& x, const std::shared_ptr<DeviceState>& device) {
  return x->device ? x : DeviceExpression::constantOf(x->isDouble, x->shape, x->constant, device);
}

ExpressionRef reduced(ExpressionRef x, Reduction reduction, const std::bitset<Shape::maxRank>& axes,
                      const Shape& shape) {
  if (x->kind == Kind::constant) {
    const auto terms = shape.size() == 0 ? 0 : x->shape.size() / shape.size();
    const bool adds = reduction == Reduction::sum;
    const double value = adds && terms == 0 ? 0 : x->constant * static_cast<double>(adds ? terms : 1);
    return DeviceExpression::constantOf(x->isDouble, shape, value, x->device);
  }
  const ExpressionRef expression = unaryOf(std::move(x), Kind::reduced, shape);
  expression->reduction = reduction;
  expression->axes = axes;
  limitWeight(*expression);
  return expression;
}

ExpressionRef dropped(bool isDouble, const Shape& shape, std::uint64_t key, std::uint64_t threshold,
                      double kept, std::shared_ptr<DeviceState> device) {
  ExpressionRef expression = randomised(isDouble, shape, key, std::move(device));
  expression->kind = Kind::dropped;
  expression->threshold = threshold;
  expression->constant = kept;
  return expression;
}

ExpressionRef counter(bool isDouble, const Shape& shape, std::shared_ptr<DeviceState> device) {
  ExpressionRef expression = randomised(isDouble, shape, 0, std::move(device));
  expression->kind = Kind::counter;
  return expression;
}

ExpressionRef randomised(bool isDouble, const Shape& shape, std::uint64_t seed,
                         std::shared_ptr<DeviceState> device) {
  requireCountable(shape, "random");
  auto expression = std::make_shared<DeviceExpression>();
  expression->kind = Kind::random;
  expression->isDouble = isDouble;
  expression->shape = shape;
  expression->seed = seed;
  expression->device = std::move(device);
  return expression;
}

}  // namespace tapestry::detail
