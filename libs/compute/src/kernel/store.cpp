#include "kernel/store.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

#include "kernel/source.hpp"
#include "kernel/thread_plan.hpp"

namespace tapestry::detail {

namespace {

using Kind = DeviceExpression::Kind;

/// Numbers traversals, so that `mark` shows whether the current traversal has already reached an expression.
/// A traversal inside it, which stores a part, overwrites marks, so that an expression may be reached again.
/// Marks are used under the lock of the expression's device; the number is atomic, since each device has its
/// own lock. It has 64 bits, since 32 would wrap within hours.
std::uint64_t nextTraversal() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// Whether a kernel that reads x through the view should read x from memory, since it would otherwise compute
/// elements of x repeatedly.
bool storesViewed(const DeviceExpression& view, const DeviceExpression& x) {
  const bool repeats = view.kind == Kind::gathered || view.map->repeats;
  return x.kind == Kind::applied && (repeats || x.owners() > 1 || view.owners() > 1);
}

void storeParts(DeviceExpression& expression, std::uint64_t traversal, bool isViewed) {
  if (expression.isStored()) {
    if (expression.buffer->error) std::rethrow_exception(expression.buffer->error);
    return;
  }
  if (expression.mark == traversal) return;
  expression.mark = traversal;
  if (expression.rows && expression.rows->indices->error)
    std::rethrow_exception(expression.rows->indices->error);
  const bool isView = expression.kind == Kind::view || expression.kind == Kind::gathered;
  for (const ExpressionRef& operand : expression.operands) {
    if (!operand) continue;
    DeviceExpression& x = *operand;
    const bool throughView = isViewed || expression.readsElsewhere();
    if (x.kind == Kind::reduced || (isView && storesViewed(expression, x)) ||
        (isViewed && x.kind == Kind::applied && x.owners() > 1))
      storeLocked(x);
    else
      storeParts(x, traversal, throughView);
  }
}

std::uint32_t countUnstored(DeviceExpression& expression, std::uint64_t traversal) {
  if (expression.isStored() || expression.mark == traversal) return 0;
  expression.mark = traversal;
  std::uint32_t count = 1;
  for (const ExpressionRef& operand : expression.operands)
    if (operand) count += countUnstored(*operand, traversal);
  return count;
}

/// A view that is the whole of what it views, in order, needs no kernel.
bool sharesBuffer(DeviceExpression& expression) {
  if (expression.kind != Kind::view || !expression.isWhole()) return false;
  DeviceExpression& x = *expression.operands[0];
  storeLocked(x);
  expression.becomeStored(BufferRef(x.buffer));
  return true;
}

/// Whether some operand is computed in the kernel of the expression.
bool computesOperands(const DeviceExpression& expression) {
  return std::ranges::any_of(expression.operands, [](const ExpressionRef& operand) {
    return operand && !operand->isStored() && operand->kind != Kind::constant;
  });
}

/// Plans the kernel of an expression, and calls `launch` with the plan. Where the kernel would have more
/// arguments than the device takes, with `more` of its own, the operands are computed first, each by a kernel
/// of its own.
template <class F>
void launchPlanned(DeviceExpression& root, bool isReduced, std::size_t more, const F& launch) {
  for (;;) {
    {
      ThreadPlan made(root, isReduced);
      if (made.fits(more) || !computesOperands(root)) return launch(made);
    }
    for (const ExpressionRef& operand : root.operands)
      if (operand && operand->kind != Kind::constant) storeLocked(*operand);
  }
}

void launchElementwise(DeviceExpression& root, ThreadPlan& made) {
  const std::shared_ptr<DeviceState> device = root.device;
  KernelPlan& plan = made.plan();
  const std::size_t size = root.shape.size();
  const bool isWide = plan.isFlat() && !plan.isDouble() && device->properties().width == 4 && size % 4 == 0;
  Preparation& kernel = device->kernel(plan.structure(isWide ? 'w' : 'e'), [&] {
    const std::string name = kernelName(plan, isWide ? "wide" : "each");
    return Preparation{name, elementwiseSource(plan, name, isWide ? 4 : 1)};
  });
  made.makeOutputs(device);
  const std::size_t items = isWide ? size / 4 : size, groupSize = device->properties().itemGroup;
  plan.arguments().emplace_back(static_cast<std::int32_t>(items));
  if (items != 0)
    device->launch(kernel, plan.arguments(), plan.reads(), made.outputs(),
                   (items + groupSize - 1) / groupSize, groupSize);
  made.storeOutputs();
}

/// Enqueues one kernel of a reduction, whose result has one element for each part.
BufferRef launchReduction(const std::shared_ptr<DeviceState>& device, const ReductionCut& cut,
                          Reduction reduction, ThreadPlan& made) {
  KernelPlan& plan = made.plan();
  for (std::size_t axis = 0; axis < cut.rank; ++axis) plan.structure(cut.reduced[axis] ? '1' : '0');
  plan.structure(static_cast<char>('0' + static_cast<int>(reduction)));
  Preparation& kernel = device->kernel(plan.structure(cut.group == 1 ? 'i' : 'g'), [&] {
    constexpr std::array<std::string_view, 3> names{"sum_of", "max_of", "min_of"};
    const std::string name = kernelName(plan, names[static_cast<std::size_t>(reduction)]);
    return Preparation{name, reductionSource(plan, cut, reduction, name)};
  });
  made.makeOutputs(device);
  const std::size_t parts = cut.outputs * cut.splits, part = (cut.terms + cut.splits - 1) / cut.splits;
  const auto result =
      std::make_shared<DeviceBuffer>(device, parts * (plan.isDouble() ? sizeof(double) : sizeof(float)));
  made.outputs().push_back(result);
  std::vector<extend::KernelArgument>& arguments = plan.arguments();
  arguments.emplace_back(result->memory());
  for (const std::size_t number : {cut.outputs, cut.terms, part, parts})
    arguments.emplace_back(static_cast<std::int32_t>(number));
  for (std::size_t axis = 0; axis < cut.rank; ++axis) {
    arguments.emplace_back(static_cast<std::int32_t>(cut.axes[axis].extent));
    arguments.emplace_back(cut.axes[axis].stride);
  }
  const std::size_t itemGroup = std::min<std::size_t>(device->properties().itemGroup, 64);
  const std::size_t groups = cut.group == 1 ? (parts + itemGroup - 1) / itemGroup : parts;
  if (parts != 0)
    device->launch(kernel, arguments, plan.reads(), made.outputs(), groups,
                   cut.group == 1 ? itemGroup : cut.group);
  made.storeOutputs();
  return result;
}

BufferRef reduceParts(DeviceExpression& x, const ReductionCut& cut, Reduction reduction) {
  const std::shared_ptr<DeviceState> device = x.device;
  BufferRef result;
  launchPlanned(x, true, 5 + 2 * cut.rank,
                [&](ThreadPlan& made) { result = launchReduction(device, cut, reduction, made); });
  return result;
}

/// Enqueues the kernels of what the expression depends on and cannot compute in its own kernel.
void storeParts(DeviceExpression& expression) { storeParts(expression, nextTraversal(), false); }

/// The same for an expression that a kernel is to read: a reduction is stored as a whole.
void prepare(DeviceExpression& x) { x.kind == Kind::reduced ? storeLocked(x) : storeParts(x); }

/// The kernels of a reduction.
void storeReduced(DeviceExpression& expression) {
  DeviceExpression& x = *expression.operands[0];
  prepare(x);
  ReductionCut cut = cutOf(x, expression.axes, expression.device->properties());
  BufferRef result = reduceParts(x, cut, expression.reduction);
  while (cut.splits > 1) {
    const auto partial = DeviceExpression::storedIn(expression.isDouble, Shape{cut.splits, cut.outputs},
                                                    std::move(result), expression.device);
    cut = cutOf(*partial, std::bitset<Shape::maxRank>(1), expression.device->properties());
    result = reduceParts(*partial, cut, expression.reduction);
  }
  expression.becomeStored(std::move(result));
}

/// Enqueues the kernel of storeInto.
void launchInto(DeviceExpression& x, const IndexMap& map, const BufferRef& to, ThreadPlan& made) {
  const std::shared_ptr<DeviceState> device = x.device;
  const std::size_t size = x.shape.size(), groupSize = device->properties().itemGroup;
  KernelPlan& plan = made.plan();
  const std::uint16_t place = plan.placeOf(map);
  Preparation& kernel = device->kernel(plan.structure('t'), [&] {
    const std::string name = kernelName(plan, "into");
    return Preparation{name, scatteredSource(plan, place, name)};
  });
  made.makeOutputs(device);
  made.outputs().push_back(to);
  plan.arguments().emplace_back(to->memory());
  plan.arguments().emplace_back(static_cast<std::int32_t>(size));
  device->launch(kernel, plan.arguments(), plan.reads(), made.outputs(), (size + groupSize - 1) / groupSize,
                 groupSize);
  made.storeOutputs();
}

}  // namespace

std::uint32_t countUnstored(DeviceExpression& expression) {
  return countUnstored(expression, nextTraversal());
}

void storeLocked(DeviceExpression& expression) {
  if (expression.isStored()) {
    if (expression.buffer->error) std::rethrow_exception(expression.buffer->error);
    return;
  }
  if (expression.kind == Kind::reduced) return storeReduced(expression);
  if (sharesBuffer(expression)) return;
  storeParts(expression);
  launchPlanned(expression, false, 1, [&](ThreadPlan& made) { launchElementwise(expression, made); });
}

void storeInto(DeviceExpression& x, const IndexMap& map, const BufferRef& to) {
  if (x.shape.size() == 0) return;
  prepare(x);
  launchPlanned(x, true, 3 + 2 * map.rank, [&](ThreadPlan& made) { launchInto(x, map, to, made); });
}

void store(DeviceExpression& expression) {
  const DeviceState::Lock lock(expression.device->mutex());
  storeLocked(expression);
}

}  // namespace tapestry::detail
