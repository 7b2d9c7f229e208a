// Defines PassRecord, the observer that records which nodes a pass has evaluated, for toDot and summary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tapestry/deeplearning/extend/graph.hpp"
#include "tapestry/deeplearning/pass_observer.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct PictureNode {
  const void* id = nullptr;  ///< unique in its picture
  std::string name;
  extend::NodeKind kind = extend::NodeKind::operation;
  std::optional<Shape> shape;
  std::size_t elementBytes = 0;
  std::string value;     ///< the beginning of the value, if it is known
  std::string settings;  ///< the attributes, such as "axis -1"
  std::string place;     ///< of a program, such as "gate.cpp:41"
  std::optional<std::uint64_t> multiplications;
  std::vector<const void*> operands;  ///< of a program that has run: the layer that it has made
  std::vector<const void*> asked;     ///< of a program: the nodes whose tapes it has asked for
};

PictureNode pictureOf(const extend::NodeView& node);

/// The nodes of a layer as it is built, operands first.
std::vector<PictureNode> pictureOf(const extend::Graph& graph);

}  // namespace detail

/// Records the latest pass:
///
///     const auto record = std::make_shared<PassRecord>();
///     observed(train(loss), record).blockingAwait();
///     std::cout << toDot(loss, {.pass = record});
///
/// It also keeps the layers that programs have made in earlier passes: as long as a network is evaluated
/// again and again, each branch that has been chosen is known. Thread-safe; if passes overlap, the pass that
/// opened last is recorded. Cost: a lock and some allocations for each node; the memory of the nodes'
/// descriptions, but not of their values.
class PassRecord final : public PassObserver {
 public:
  PassRecord() noexcept = default;

  void passOpened(const void* pass) noexcept override;
  void observeNode(Event event, const extend::NodeView& node) noexcept override;
  void observeUse(const extend::NodeView& program, const extend::NodeView& node) noexcept override;

  /// A layer that a program has made.
  struct Branch {
    std::vector<detail::PictureNode> nodes;  ///< operands first, without weights and without the nodes whose
                                             ///< tapes the program has requested
    std::size_t passes = 0;                  ///< in how many passes it was chosen
    std::size_t latest = 0;                  ///< the number of the last of these passes
  };

  // For pictures:

  /// The nodes that the latest pass has read or computed, with their operands.
  std::vector<detail::PictureNode> nodes() const;
  /// The branches that the program has not chosen in the latest pass, but before.
  std::vector<Branch> otherBranches(const void* program) const;
  /// The number of passes so far.
  std::size_t passes() const;

 private:
  void add(const extend::NodeView& node);
  void addBranch(const detail::PictureNode& program);

  mutable std::mutex mutex_;
  const void* pass_ = nullptr;
  std::size_t passes_ = 0;
  std::map<const void*, detail::PictureNode> nodes_;
  /// By program and place, and by a text that describes the structure of the branch.
  std::map<std::pair<const void*, std::string>, std::map<std::string, Branch>> branches_;
};

}  // namespace tapestry
#pragma GCC visibility pop
