#include "tapestry/deeplearning/pictures/pass_record.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tapestry {

namespace {

using detail::PictureNode;
using RecordedNodes = std::map<const void*, PictureNode>;

/// The nodes of a branch that belong to it alone, operands first.
std::vector<const PictureNode*> ownNodes(const RecordedNodes& nodes, const PictureNode& program) {
  std::vector<const PictureNode*> own;
  std::map<const void*, bool> seen;  // true after the operands
  std::vector<const void*> ahead(program.operands);
  while (!ahead.empty()) {
    const auto found = nodes.find(ahead.back());
    const bool isShared = found == nodes.end() || found->second.kind == extend::NodeKind::weight ||
                          std::ranges::count(program.asked, ahead.back()) != 0;
    const auto [visit, isNew] = seen.try_emplace(ahead.back(), false);
    if (isShared || visit->second) {
      ahead.pop_back();
    } else if (isNew) {
      const auto& operands = found->second.operands;
      ahead.insert(ahead.end(), operands.rbegin(), operands.rend());
    } else {
      visit->second = true;
      own.push_back(&found->second);
      ahead.pop_back();
    }
  }
  return own;
}

/// A text that distinguishes branches: operations, shapes, and their dependencies on each other and on shared
/// nodes.
std::string signatureOf(const std::vector<const PictureNode*>& own) {
  std::unordered_map<const void*, std::size_t> numbers;
  std::string signature;
  for (const PictureNode* node : own) {
    signature += node->name + (node->shape ? toString(*node->shape) : "") + '(';
    for (const void* operand : node->operands) {
      const auto number = numbers.find(operand);
      signature += (number == numbers.end() ? std::to_string(reinterpret_cast<std::uintptr_t>(operand))
                                            : '#' + std::to_string(number->second)) +
                   ',';
    }
    signature += ");";
    numbers.emplace(node->id, numbers.size());
  }
  return signature;
}

}  // namespace

void PassRecord::passOpened(const void* pass) noexcept {
  const std::lock_guard guard(mutex_);
  pass_ = pass;
  ++passes_;
  nodes_.clear();
}

void PassRecord::observeNode(Event event, const extend::NodeView& node) noexcept {
  if (event != Event::read && event != Event::forward) return;
  try {
    add(node);
  } catch (...) {  // NOLINT: no memory for the node, which is not recorded
  }
}

void PassRecord::observeUse(const extend::NodeView& program, const extend::NodeView& node) noexcept try {
  const std::lock_guard guard(mutex_);
  if (program.pass() != pass_) return;
  auto& asked = nodes_[program.id()].asked;
  if (std::ranges::count(asked, node.id()) == 0) asked.push_back(node.id());
} catch (...) {  // NOLINT: as above
}

void PassRecord::add(const extend::NodeView& node) {
  {
    const std::lock_guard guard(mutex_);
    if (node.pass() != pass_) return;
  }
  // without the lock, since a user's operation lists its own attributes
  PictureNode picture = detail::pictureOf(node);
  std::vector<PictureNode> literals;  // which have no events
  for (const extend::NodeView& operand : node.operands())
    if (operand.kind() == extend::NodeKind::literal) literals.push_back(detail::pictureOf(operand));
  const std::lock_guard guard(mutex_);
  if (node.pass() != pass_) return;
  for (PictureNode& literal : literals) nodes_.try_emplace(literal.id, std::move(literal));
  PictureNode& kept = nodes_[node.id()];
  picture.asked = std::move(kept.asked);
  // the layer that was made is the data, not a condition
  std::erase_if(picture.asked, [&](const void* id) { return std::ranges::count(picture.operands, id) != 0; });
  kept = std::move(picture);
  if (kept.kind == extend::NodeKind::program) addBranch(kept);
}

void PassRecord::addBranch(const PictureNode& program) {
  const auto own = ownNodes(nodes_, program);
  Branch& branch = branches_[{program.id, program.place}][signatureOf(own)];
  branch.nodes.clear();
  for (const PictureNode* node : own) branch.nodes.push_back(*node);
  ++branch.passes;
  branch.latest = passes_;
}

std::vector<PictureNode> PassRecord::nodes() const {
  const std::lock_guard guard(mutex_);
  std::vector<PictureNode> nodes;
  for (const auto& [id, node] : nodes_)
    if (node.id) nodes.push_back(node);
  return nodes;
}

std::vector<PassRecord::Branch> PassRecord::otherBranches(const void* program) const {
  const std::lock_guard guard(mutex_);
  std::vector<Branch> others;
  for (const auto& [key, branches] : branches_)
    if (key.first == program)
      for (const auto& [signature, branch] : branches)
        if (branch.latest != passes_) others.push_back(branch);
  return others;
}

std::size_t PassRecord::passes() const {
  const std::lock_guard guard(mutex_);
  return passes_;
}

}  // namespace tapestry
