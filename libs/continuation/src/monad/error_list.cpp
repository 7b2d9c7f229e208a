#include <algorithm>
#include <atomic>

#include "tapestry/continuation/monad/errors.hpp"

namespace tapestry::detail {

class ErrorTree {
 public:
  explicit ErrorTree(std::exception_ptr only) noexcept : size(1), error(std::move(only)) {}
  ErrorTree(ErrorList before, ErrorList after) noexcept
      : size(before.size() + after.size()),
        left(std::exchange(before.tree_, nullptr)),
        right(std::exchange(after.tree_, nullptr)) {}

  /// Returns whether the caller had the last reference. acq_rel: reads by earlier holders happen before the
  /// last holder destroys the tree.
  static bool drop(const ErrorTree* tree) noexcept {
    return tree->references.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  const std::size_t size;
  const std::exception_ptr error;  ///< null if it has parts
  const ErrorTree* const left = nullptr;
  const ErrorTree* const right = nullptr;
  mutable std::atomic<std::size_t> references{1};
  mutable const ErrorTree* nextDead = nullptr;
};

ErrorList::ErrorList(std::exception_ptr error) : tree_(new ErrorTree(std::move(error))) {}

std::size_t ErrorList::size() const noexcept { return tree_ ? tree_->size : 0; }

void ErrorList::append(ErrorList other) {
  if (other.empty()) return;
  if (empty()) return std::swap(tree_, other.tree_);
  tree_ = new ErrorTree(std::move(*this), std::move(other));
}

std::vector<std::exception_ptr> ErrorList::first(std::size_t count) const {
  std::vector<std::exception_ptr> errors;
  if (!tree_) return errors;
  count = std::min(count, tree_->size);
  errors.reserve(count);
  std::vector<const ErrorTree*> ahead{tree_};
  while (errors.size() < count) {
    const ErrorTree* const tree = ahead.back();
    ahead.pop_back();
    if (tree->error) {
      errors.push_back(tree->error);
    } else {
      ahead.push_back(tree->right);
      ahead.push_back(tree->left);
    }
  }
  return errors;
}

void ErrorList::retain() const noexcept {
  // relaxed: a new reference is made from a held reference
  tree_->references.fetch_add(1, std::memory_order_relaxed);
}

void ErrorList::release() noexcept {
  const ErrorTree* dead = ErrorTree::drop(tree_) ? tree_ : nullptr;
  while (dead) {
    const ErrorTree* const tree = std::exchange(dead, dead->nextDead);
    for (const ErrorTree* const part : {tree->left, tree->right})
      if (part && ErrorTree::drop(part)) part->nextDead = std::exchange(dead, part);
    delete tree;
  }
}

}  // namespace tapestry::detail
