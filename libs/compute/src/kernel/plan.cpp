#include "kernel/plan.hpp"

#include <exception>
#include <utility>

namespace tapestry::detail {

namespace {

using Kind = DeviceExpression::Kind;

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

void KernelPlan::make(DeviceExpression& root, bool isReduced) {
  isDouble_ = root.isDouble;
  structure_ += isDouble_ ? 'd' : 'f';
  rootStep_ = visit(root, KernelStep::root);
  findOutputs(root, isReduced);
  forgetVisited();
}

void KernelPlan::forgetVisited() noexcept {
  for (const Visited& visited : visited_) visited.expression->step = 0;
  visited_.clear();
}

void KernelPlan::clear() noexcept {
  forgetVisited();
  isFlat_ = true;
  steps_.clear();
  arguments_.clear();
  kinds_.clear();
  structure_.clear();
  reads_.clear();
  readParameters_.clear();
  applied_.clear();
  outputs_.clear();
}

std::uint16_t KernelPlan::visit(DeviceExpression& expression, std::uint16_t at) {
  if (at == KernelStep::root) {
    if (expression.step != 0) {
      for (Applied& applied : applied_)
        if (applied.expression == &expression) ++applied.uses;
      return static_cast<std::uint16_t>(expression.step - 1);
    }
  } else {
    for (const Visited& visited : visited_)
      if (visited.expression == &expression && visited.at == at) return visited.step;
  }
  const std::uint16_t step = makeStep(expression, at);
  visited_.push_back({&expression, at, step});
  if (at == KernelStep::root) {
    expression.step = step + 1u;
    if (expression.kind == Kind::applied) applied_.push_back({&expression, step, 1});
  }
  return step;
}

std::uint16_t KernelPlan::makeStep(DeviceExpression& expression, std::uint16_t at) {
  KernelStep step{};
  step.at = at;
  switch (expression.kind) {
    case Kind::stored:
      step.kind = KernelStep::Kind::load;
      step.parameter = bufferOf(expression.buffer);
      for (std::size_t i = 0; i < steps_.size(); ++i)
        if (steps_[i].kind == step.kind && steps_[i].parameter == step.parameter && steps_[i].at == at)
          return static_cast<std::uint16_t>(i);
      break;
    case Kind::constant:
      step.kind = KernelStep::Kind::constant;
      step.parameter = static_cast<std::uint16_t>(arguments_.size());
      addNumber(expression.constant);
      break;
    case Kind::random:
    case Kind::dropped:
      addDraws(step, expression);
      break;
    case Kind::counter:
      step.kind = KernelStep::Kind::counter;
      break;
    case Kind::view: {
      const bool same = !expression.readsElsewhere();
      return visit(*expression.operands[0], same ? at : indexOf(*expression.map, at));
    }
    case Kind::gathered:
      return visit(*expression.operands[0], chosenOf(*expression.rows, at));
    case Kind::applied:
      step.kind = KernelStep::Kind::apply;
      step.function = expression.function;
      for (const ExpressionRef& operand : expression.operands)
        if (operand) step.operands[step.count++] = visit(*operand, at);
      break;
    case Kind::reduced:
      std::terminate();  // storeParts has stored it
  }
  return add(step);
}

std::uint16_t KernelPlan::indexOf(const IndexMap& map, std::uint16_t at) {
  KernelStep step{};
  step.kind = KernelStep::Kind::index;
  step.at = at;
  step.count = static_cast<std::uint8_t>(map.rank);
  step.parameter = static_cast<std::uint16_t>(arguments_.size());
  if (map.rank != 0) isFlat_ = false;
  if (map.offset != 0) {
    step.axes |= 1u << 31;
    addArgument('u', static_cast<std::int32_t>(map.offset));
  }
  for (std::uint32_t axis = 0; axis < map.rank; ++axis) {
    const auto [extent, stride] = map.axes[axis];
    if (axis != 0) addArgument('u', static_cast<std::int32_t>(extent));
    if (stride != 0 && stride != 1) addArgument('u', stride);
    step.axes |= (stride == 0 ? 0u : stride == 1 ? 1u : 2u) << (2 * axis);
  }
  return add(step);
}

std::uint16_t KernelPlan::chosenOf(const RowChoice& rows, std::uint16_t at) {
  KernelStep step{};
  step.kind = KernelStep::Kind::chosen;
  step.at = at;
  step.operands[0] = bufferOf(rows.indices, 'i');
  step.parameter = static_cast<std::uint16_t>(arguments_.size());
  for (const std::uint32_t number : {rows.extent, rows.count, rows.inner})
    addArgument('u', static_cast<std::int32_t>(number));
  isFlat_ = false;
  return add(step);
}

std::uint16_t KernelPlan::bufferOf(const BufferRef& buffer, char kind) {
  for (std::size_t i = 0; i < reads_.size(); ++i)
    if (reads_[i] == buffer) return readParameters_[i];
  const auto parameter = static_cast<std::uint16_t>(arguments_.size());
  addArgument(kind, buffer->memory());
  reads_.push_back(buffer);
  readParameters_.push_back(parameter);
  return parameter;
}

std::uint16_t KernelPlan::add(const KernelStep& step) {
  structure_ += static_cast<char>(step.kind);
  append(structure_, step.at);
  append(structure_, step.parameter);
  if (step.kind == KernelStep::Kind::index) {
    structure_ += static_cast<char>(step.count);
    append(structure_, step.axes);
  } else if (step.kind == KernelStep::Kind::chosen) {
    append(structure_, step.operands[0]);
  } else if (step.kind == KernelStep::Kind::apply) {
    append(structure_, step.function);
    for (std::uint8_t i = 0; i < step.count; ++i) append(structure_, step.operands[i]);
  }
  steps_.push_back(step);
  return static_cast<std::uint16_t>(steps_.size() - 1);
}

void KernelPlan::addArgument(char kind, extend::KernelArgument argument) {
  kinds_ += kind;
  arguments_.push_back(argument);
}

void KernelPlan::addDraws(KernelStep& step, const DeviceExpression& expression) {
  const bool drops = expression.kind == Kind::dropped;
  step.kind = drops ? KernelStep::Kind::dropped : KernelStep::Kind::random;
  step.parameter = static_cast<std::uint16_t>(arguments_.size());
  addArgument('s', expression.seed);
  if (!drops) return;
  addArgument('s', expression.threshold);
  addNumber(expression.constant);
}

void KernelPlan::addNumber(double number) {
  if (isDouble_)
    addArgument('n', number);
  else
    addArgument('n', static_cast<float>(number));
}

void KernelPlan::findOutputs(DeviceExpression& root, bool isReduced) {
  // An owner that is not an expression of this kernel may need the value later. The expression that reduces
  // the root does not need it.
  for (const Applied& applied : applied_) {
    const bool isRoot = applied.expression == &root;
    if (isRoot && !isReduced) continue;
    if (applied.expression->owners() > applied.uses) outputs_.push_back({applied.expression, applied.step});
  }
  if (!isReduced) outputs_.push_back({&root, rootStep_});
  structure_ += 'o';
  for (const Output& output : outputs_) append(structure_, output.step);
}

}  // namespace tapestry::detail
