#include "tapestry/deeplearning/pictures/profile.hpp"

#include <algorithm>
#include <utility>

#include "begins_work.hpp"
#include "table_text.hpp"
#include "tapestry/deeplearning/extend/graph.hpp"

namespace tapestry {

namespace {

double timeOf(const OperationProfile& operation) {
  return operation.forwardSeconds + operation.backwardSeconds;
}

std::vector<std::string> rowOf(const OperationProfile& operation, double all) {
  return {operation.operation,
          std::to_string(operation.forwards),
          detail::numberText(1000 * operation.forwardSeconds, 3),
          std::to_string(operation.backwards),
          detail::numberText(1000 * operation.backwardSeconds, 3),
          detail::numberText(all > 0 ? 100 * timeOf(operation) / all : 0, 1),
          detail::bytesText(operation.bytes),
          detail::groupedText(operation.multiplications)};
}

}  // namespace

std::string Profile::table() const {
  OperationProfile sum{.operation = "sum"};
  for (const OperationProfile& each : operations) {
    sum.forwards += each.forwards;
    sum.forwardSeconds += each.forwardSeconds;
    sum.backwards += each.backwards;
    sum.backwardSeconds += each.backwardSeconds;
    sum.bytes += each.bytes;
    sum.multiplications += each.multiplications;
  }
  detail::TextTable table(
      {"operation", "forward", "ms", "backward", "ms", "%", "results", "multiplications"});
  for (const OperationProfile& each : operations) table.add(rowOf(each, timeOf(sum)));
  table.line();
  table.add(rowOf(sum, timeOf(sum)));
  return table.text() + "program: " + detail::numberText(1000 * seconds, 3) + " ms, at most " +
         detail::bytesText(mostBytes) + " of results at once\n";
}

void detail::Profiler::observeNode(Event event, const extend::NodeView& node) noexcept try {
  note(event, node);
} catch (...) {  // NOLINT: no memory for the event, which is not counted
}

void detail::Profiler::passEnded(const void* pass) noexcept {
  const std::lock_guard guard(mutex_);
  // computations that have failed
  std::erase_if(begun_, [pass](const auto& each) { return each.first.first == pass; });
}

void detail::Profiler::note(Event event, const extend::NodeView& node) {
  const auto now = Clock::now();
  const NodeInPass key(node.pass(), node.id());
  if (beginsWork(event, node)) {
    const std::lock_guard guard(mutex_);
    begun_[key] = Clock::now();
  } else if (event == Event::dropped || event == Event::release) {
    const std::lock_guard guard(mutex_);
    if (const auto size = sizes_.extract(key)) bytes_ -= size.mapped();
  } else if (event == Event::forward || event == Event::sent) {
    std::unique_lock lock(mutex_);
    const auto begun = begun_.extract(key);
    if (!begun) return;
    lock.unlock();
    addWork(event, node, std::chrono::duration<double>(now - begun.mapped()).count());
  }
}

void detail::Profiler::addWork(Event event, const extend::NodeView& node, double seconds) {
  // without the lock, since a user's operation lists its own attributes
  const auto details = event == Event::forward ? node.details() : extend::NodeDetails();
  const std::lock_guard guard(mutex_);
  auto found = operations_.find(node.name());
  if (found == operations_.end())
    found = operations_.emplace(std::string(node.name()), OperationProfile()).first;
  OperationProfile& operation = found->second;
  if (event == Event::sent) {
    ++operation.backwards;
    operation.backwardSeconds += seconds;
    return;
  }
  ++operation.forwards;
  operation.forwardSeconds += seconds;
  operation.multiplications += details.multiplications.value_or(0);
  const std::size_t bytes = details.shape ? details.shape->size() * details.elementBytes : 0;
  operation.bytes += bytes;
  bytes_ += bytes - std::exchange(sizes_[{node.pass(), node.id()}], bytes);
  mostBytes_ = std::max(mostBytes_, bytes_);
}

Profile detail::Profiler::profile() const {
  const std::lock_guard guard(mutex_);
  Profile profile;
  profile.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  profile.mostBytes = mostBytes_;
  for (const auto& [name, operation] : operations_) {
    profile.operations.push_back(operation);
    profile.operations.back().operation = name;
  }
  std::ranges::stable_sort(profile.operations, std::greater<>(), timeOf);
  return profile;
}

}  // namespace tapestry
